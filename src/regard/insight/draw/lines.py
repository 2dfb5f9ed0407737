"""Alignment lines: input words on the left, output words on the right, a curve for each weight."""

from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

from regard.insight.draw.heat import CAPTION, COLOURS, FAINT, MANY_WORDS
from regard.insight.maps import AttentionMap
from regard.insight.picture import drawable, write_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

THRESHOLD = 0.05
"""Weights below this have no line, by default."""
_PALEST = 0.3
"""Where in the colours a weight of 0 would be: the palest line can still be seen."""


def draw_lines(attention: AttentionMap, path: Path, *, threshold: float = THRESHOLD, title: str = "") -> None:
    """Draw the lines of a map into a file; what the threshold hides is a number below them."""
    write_picture(lambda: _figure(attention, threshold, title), path)


def hidden_mass(attention: AttentionMap, threshold: float) -> float:
    """The share of all weight that is in cells below a threshold, 0 to 1."""
    weights = attention.weights.astype(np.float64)
    total = float(weights.sum())
    return float(weights[weights < threshold].sum()) / total if total else 0.0


def _figure(attention: AttentionMap, threshold: float, title: str) -> "Figure":
    from matplotlib import colormaps
    from matplotlib.figure import Figure
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Curve

    rows, columns = len(attention.rows), len(attention.columns)
    tallest = max(rows, columns)
    line, size = (0.27, 11.0) if tallest <= MANY_WORDS else (0.18, 9.0)
    height = line * tallest
    figure = Figure(figsize=(max(2.6 + min(2.4, 0.05 * tallest), 0.4 * height), height))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, 1)
    axes.set_ylim(tallest - 0.5, -0.5)
    left, right = _heights(columns, tallest), _heights(rows, tallest)
    colours = colormaps[COLOURS]
    order = np.dstack(np.unravel_index(np.argsort(attention.weights, axis=None), attention.weights.shape))[0]
    for row, column in order:  # the strongest last, on top
        weight = float(attention.weights[row, column])
        if weight < threshold:
            continue
        start, end = (0.02, left[column]), (0.98, right[row])
        points = [start, (0.5, start[1]), (0.5, end[1]), end]
        curve = Curve(points, [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4])
        shade = colours(_PALEST + (1 - _PALEST) * min(1.0, weight))
        axes.add_patch(PathPatch(curve, fill=False, edgecolor=shade, linewidth=0.4 + 3.6 * min(1.0, weight)))
    for label, y in zip(attention.columns, left, strict=True):
        axes.text(0, y, drawable(label), ha="right", va="center", fontsize=size)
    for label, y in zip(attention.rows, right, strict=True):
        axes.text(1, y, drawable(label), ha="left", va="center", fontsize=size)
    output, read = attention.axes
    for x, side, told in ((0, "right", read), (1, "left", output)):
        axes.text(x, -1.0, told, ha=side, va="bottom", fontsize=8.5, color=FAINT, style="italic")
    hidden = hidden_mass(attention, threshold)
    told = f"lines: weight ≥ {threshold:g}; not drawn: {hidden:.1%} of the weight"
    told = "\n".join(
        filter(None, [told, *(fill(t, CAPTION) for t in (attention.summary, attention.missing_note))])
    )
    axes.text(0.5, tallest, told, ha="center", va="top", fontsize=8.5, color=FAINT, linespacing=1.5)
    if title:
        axes.set_title(title, fontsize=11, pad=30)
    return figure


def _heights(words: int, tallest: int) -> list[float]:
    """Heights of the words of one side; the shorter side is spread over the height of the longer."""
    return [(place + 0.5) * tallest / words - 0.5 for place in range(words)]
