"""Pictures of attention."""

from regard.insight.draw.heat import draw_heat_map, draw_similarity
from regard.insight.draw.lines import draw_lines
from regard.insight.draw.overview import draw_overview
from regard.insight.draw.side_by_side import draw_before_after, draw_models, draw_time_lapse
from regard.insight.draw.text import draw_text

__all__ = [
    "draw_before_after",
    "draw_heat_map",
    "draw_lines",
    "draw_models",
    "draw_overview",
    "draw_similarity",
    "draw_text",
    "draw_time_lapse",
]
