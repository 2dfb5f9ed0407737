"""Pictures of attention, one kind a file."""

from regard.insight.draw.before_after import draw_before_after
from regard.insight.draw.heat import draw_heat_map
from regard.insight.draw.lines import draw_lines
from regard.insight.draw.models import draw_models
from regard.insight.draw.overview import draw_overview
from regard.insight.draw.similarity import draw_similarity
from regard.insight.draw.text import draw_text
from regard.insight.draw.time_lapse import draw_time_lapse

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
