"""Highlighted text: the input words, shaded by their attention weights."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from regard.errors import DataError
from regard.insight.display import visible
from regard.insight.draw.heat import COLOURS, FAINT, ink_on
from regard.insight.maps import AttentionMap, Weights
from regard.insight.picture import DPI, drawable, write_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH, _LINE, _GAP, _PAD = 7.0, 0.36, 0.1, 0.04
"""Inches: of the widest picture, of a line, beside a word, and around it."""
_HEADING = 0.6


def draw_text(attention: AttentionMap, path: Path, *, row: int | None = None) -> None:
    """Draw the input words, shaded by the weights of one row; by default by the mean of all rows."""
    write_picture(lambda: _figure(attention, row), path)


def row_of(attention: AttentionMap, word: str) -> int:
    """The row of an output word; of several that are alike, the first."""
    for row, label in enumerate(attention.rows):
        if word in (label, visible(label)):
            return row
    there = ", ".join(visible(label) for label in attention.rows)
    raise DataError(f"--word {visible(word)}: is not one of the {attention.axes[0]}; choose one of: {there}")


def row_weights(attention: AttentionMap, row: int | None) -> Weights:
    """(columns): the weights of a row, or the mean of all."""
    weights = attention.weights
    chosen: Weights = weights.mean(axis=0, dtype=np.float64) if row is None else weights[row]
    return chosen.astype(np.float32)


def row_name(attention: AttentionMap, row: int | None) -> str:
    """What the shades belong to, in words."""
    if row is not None:
        return visible(attention.rows[row])
    return f"mean of all {attention.axes[0]}"


def _figure(attention: AttentionMap, row: int | None) -> "Figure":
    from matplotlib import colormaps
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyBboxPatch

    weights = row_weights(attention, row)
    darkest = float(weights.max(initial=0.0)) or 1.0
    # Letters are fitted to the dots of a picture: what is measured for other dots is drawn too wide.
    figure = Figure(figsize=(_WIDTH, 1.0), dpi=DPI)
    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    words = [figure.text(0, 0, drawable(label), fontsize=13, va="center") for label in attention.columns]
    widths = [word.get_window_extent(renderer).width / DPI for word in words]  # inches
    places, x, line = [], 0.0, 0
    for width in widths:
        if x and x + width > _WIDTH:
            x, line = 0.0, line + 1
        places.append((x, line))
        x += width + 2 * _GAP
    named = row_name(attention, row) if row is None else drawable(attention.rows[row])
    told = f"{named}  ·  darkest: {darkest:.2f}\n{attention.summary}"
    heading = figure.text(0, 0, told, fontsize=9.5, linespacing=1.4)
    ends = [x + width for (x, _), width in zip(places, widths, strict=True)]
    full = max([*ends, heading.get_window_extent(renderer).width / DPI])
    heading.remove()
    height = (line + 1) * _LINE + _HEADING
    figure.set_size_inches(full + 2 * _PAD, height)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(-_PAD, full + _PAD)
    axes.set_ylim(height, 0)
    colours = colormaps[COLOURS]
    for word, width, weight, (x, line) in zip(words, widths, weights, places, strict=True):
        y = _HEADING + line * _LINE + _LINE / 2
        strength = float(weight) / darkest
        axes.add_patch(
            FancyBboxPatch(
                (x, y - 0.11),
                width,
                0.22,
                boxstyle=f"round,pad={_PAD}",
                facecolor=colours(strength),
                linewidth=0,
                clip_on=False,
            )
        )
        word.remove()
        axes.text(x, y, word.get_text(), fontsize=13, va="center", color=ink_on(colours(strength)))
    axes.text(0, 0.25, told, fontsize=9.5, va="center", color=FAINT, linespacing=1.4)
    return figure
