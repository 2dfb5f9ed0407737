"""Several models side by side: the attention of each for one sentence, on one scale."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from regard.errors import RegardError
from regard.insight.draw.heat import add_scale, paint, size_of, write_caption
from regard.insight.maps import AttentionMap
from regard.insight.picture import drawable, write_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDEST = 36.0
"""Inches: maps that would be wider side by side stand below each other."""
NARROWEST = 3.2
"""Inches for a map and what is said below it."""


def draw_models(maps: Sequence[tuple[str, AttentionMap]], path: Path, *, title: str = "") -> None:
    """Draw the maps of several models, each below its name; cells are of one size, whatever the words.

    maps:  a name, which may have further lines, and a map
    title: such as the sentence that all of them were given
    """
    if not maps:
        raise RegardError("there is nothing to draw: no models were given")
    write_picture(lambda: _figure(maps, title), path)


def _figure(maps: Sequence[tuple[str, AttentionMap]], title: str) -> "Figure":
    from matplotlib.figure import Figure

    rows, columns = (max(each.weights.shape[side] for _, each in maps) for side in (0, 1))
    width, height = size_of(rows, columns)
    width = max(width, NARROWEST)
    across = len(maps) * width <= WIDEST
    if across:
        figure = Figure(figsize=(len(maps) * width + 0.8, height + 1.2), layout="constrained")
        panels = figure.subplots(1, len(maps), squeeze=False)
    else:
        figure = Figure(figsize=(width + 0.8, len(maps) * (height + 0.8) + 0.4), layout="constrained")
        panels = figure.subplots(len(maps), 1, squeeze=False)
    image = None
    for axes, (name, each) in zip(panels.ravel(), maps, strict=True):
        image = paint(axes, each.weights, each.rows, each.columns, numbers=rows * columns)
        axes.set_xlim(-0.5, columns - 0.5)  # what has fewer words leaves room
        axes.set_ylim(rows - 0.5, -0.5)
        lines = (fill(drawable(line), round(8 * width)) for line in name.splitlines())
        axes.set_title("\n".join(lines), fontsize=12, pad=10, linespacing=1.4)
        write_caption(axes, each, width=width)
    add_scale(figure, image, list(panels.ravel()))
    figure.suptitle(fill(drawable(title), round(12 * figure.get_figwidth())), fontsize=11)
    return figure
