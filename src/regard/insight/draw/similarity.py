"""Which words made two texts similar, as a picture."""

from pathlib import Path
from typing import TYPE_CHECKING

from regard.insight.draw.heat import add_scale, paint, size_of
from regard.insight.picture import write_picture
from regard.insight.similarity import SimilarityMap

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_similarity(similarity: SimilarityMap, path: Path) -> None:
    """Draw what every two words add to the cosine into a file; its ending says the format."""
    write_picture(lambda: _figure(similarity), path)


def _figure(similarity: SimilarityMap) -> "Figure":
    from matplotlib.figure import Figure

    rows, columns, values = similarity
    figure = Figure(figsize=size_of(len(rows), len(columns)))
    axes = figure.add_subplot()
    image = paint(
        axes, values * 100, rows, columns, signed=True, limit=similarity.largest * 100, number=_tenths
    )
    told = f"hundredths; all cells together are the cosine, {similarity.cosine:.3f}"
    axes.set_xlabel(told, fontsize=11, labelpad=10)
    add_scale(figure, image, [axes], "hundredths of the cosine")
    return figure


def _tenths(value: float) -> str:
    return f"{value:.1f}".replace("-", "−")
