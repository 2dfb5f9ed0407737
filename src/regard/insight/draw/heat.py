"""A heat map: a row for each output word, a column for each input word."""

from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.insight.maps import AttentionMap, Weights
from regard.insight.picture import drawable, write_picture
from regard.insight.similarity import SimilarityMap

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_NUMBERS = 400
"""A map with more cells than this is drawn without numbers."""
MANY_WORDS = 40
"""With more words than this on a side, cells are as small as their labels let them be."""
CAPTION = 60
"""Letters of a line below a map, at most."""
FAINT = "#555555"
COLOURS, SIGNED_COLOURS = "Blues", "RdBu"
_BAR = (0.14, 2.6)
"""Inches: width and greatest height of the scale."""


def draw_heat_map(attention: AttentionMap, path: Path, *, title: str = "") -> None:
    """Draw a map into a file; its ending says the format."""
    write_picture(lambda: _figure(attention, title), path)


def _figure(attention: AttentionMap, title: str) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=size_of(len(attention.rows), len(attention.columns)))
    axes = figure.add_subplot()
    image = paint(axes, attention.weights, attention.rows, attention.columns)
    write_caption(axes, attention, title=title)
    add_scale(figure, image, [axes])
    return figure


def write_caption(
    axes: "Axes", attention: AttentionMap, *, title: str = "", width: float | None = None
) -> None:
    """Say below a map what it shows; a title stands before that.

    width: inches that the lines may have, where others stand beside them
    """
    told = (*attention.caption.split("; "), attention.missing_note)
    lines = [title, *(fill(line, letters(width)) for line in told)]
    axes.set_xlabel("\n".join(filter(None, lines)), fontsize=8.5, color=FAINT, labelpad=8, linespacing=1.5)


def letters(width: float | None) -> int:
    """How many letters of a caption fit into inches; by default as many as can be read well."""
    return CAPTION if width is None else min(CAPTION, max(12, round(13 * width)))


def size_of(rows: int, columns: int) -> tuple[float, float]:
    """Width and height in inches; cells of a large map, which have no numbers, are smaller."""
    width, height = 0.34, 0.27
    if rows * columns <= MOST_NUMBERS:
        width, height = 0.62, 0.4
    elif max(rows, columns) > MANY_WORDS:
        width, height = 0.17, 0.16
    return 1.6 + width * columns, 1.3 + height * rows


def paint(
    axes: "Axes",
    weights: Weights,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    signed: bool = False,
    limit: float = 1.0,
    number: Callable[[float], str] | None = None,
    numbers: int | None = None,
) -> Any:
    """Paint weights (rows, columns) with their labels; what is not a number stays grey.

    signed:  from -limit, red, to limit, blue; else from 0
    limit:   the weight that has the deepest colour
    number:  how a weight is written in its cell
    numbers: cells that decide whether there are numbers; by default those of this map
    returns: the image, for `add_scale`
    """
    from matplotlib import colormaps

    colours = colormaps[SIGNED_COLOURS if signed else COLOURS]
    image = axes.imshow(
        np.ma.masked_invalid(weights),
        cmap=colours.with_extremes(bad="#dddddd"),
        vmin=-limit if signed else 0.0,
        vmax=limit,
        aspect="auto",
        interpolation="nearest",
    )
    few, many = (
        (weights.size if numbers is None else numbers) <= MOST_NUMBERS,
        max(weights.shape) > MANY_WORDS,
    )
    turned = {"rotation": 90, "ha": "center"} if many and not few else {
        "rotation": 40 if few else 60, "ha": "left", "rotation_mode": "anchor",
    }  # fmt: skip
    axes.set_xticks(range(len(columns)), [drawable(label) for label in columns], **turned)
    axes.set_yticks(range(len(rows)), [drawable(label) for label in rows])
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=11 if few else 8 if many else 9.5, top=False)
    axes.set_xticks([x - 0.5 for x in range(1, len(columns))], minor=True)
    axes.set_yticks([y - 0.5 for y in range(1, len(rows))], minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5 if few else 0.3 if many else 0.6)
    axes.tick_params(which="minor", length=0)
    axes.spines[:].set_visible(False)
    if few:
        _write_numbers(axes, image, weights, limit / 100, number or _short)
    return image


def ink_on(colour: Sequence[float]) -> str:
    """Black or white, whichever can be read better on a colour (relative luminance of WCAG 2).

    colour: red, green and blue from 0 to 1; what follows is ignored
    """
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3])
    return "black" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 else "white"


def _write_numbers(
    axes: "Axes", image: Any, weights: Weights, least: float, number: Callable[[float], str]
) -> None:
    for y, row in enumerate(weights):
        for x, weight in enumerate(row):
            if not abs(weight) >= least:  # nor what is not a number
                continue
            ink = ink_on(image.cmap(image.norm(weight)))
            axes.text(x, y, number(float(weight)), ha="center", va="center", color=ink, fontsize=8.5)


def _short(weight: float) -> str:
    sign = "−" if weight < 0 else ""
    return sign + (f"{abs(weight):.2f}"[1:] if abs(weight) < 0.995 else "1")


def add_scale(figure: "Figure", image: Any, axes: Sequence["Axes"], name: str = "weight") -> None:
    """A bar, of one size however large the figure, that tells which colour is which weight of these axes."""
    places = [each.get_position() for each in axes]
    across, down = figure.get_size_inches()
    width = float(across * (max(place.x1 for place in places) - min(place.x0 for place in places)))
    height = float(down * (max(place.y1 for place in places) - min(place.y0 for place in places)))
    tall = min(_BAR[1], 0.75 * height)
    bar = figure.colorbar(
        image, ax=axes, fraction=_BAR[0] / width, pad=0.15 / width, shrink=tall / height,
        aspect=tall / _BAR[0], anchor=(0.0, 1.0),
    )  # fmt: skip
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8, length=0)
    bar.set_label(name, fontsize=8.5, color=FAINT)


def draw_similarity(similarity: SimilarityMap, path: Path) -> None:
    """Draw what every two words add to the cosine into a file; its ending says the format."""
    write_picture(lambda: _similarity_figure(similarity), path)


def _similarity_figure(similarity: SimilarityMap) -> "Figure":
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
