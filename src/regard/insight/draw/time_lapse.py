"""Time-lapse: the attention of one sentence while a model learned."""

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from regard.errors import RegardError
from regard.insight.draw.heat import CAPTION, COLOURS, FAINT, add_scale, paint, size_of
from regard.insight.draw.overview import axis_labels
from regard.insight.maps import AttentionMap
from regard.insight.picture import drawable, write_animation, write_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Frame = tuple[str, AttentionMap]
"""A name, such as "step 1,200", and the map of that time."""
SECONDS = 0.6
"""A frame of the animation; the last stays three times as long."""
_ACROSS, _WIDEST = 6, 16.0
"""Small maps in a line, and inches of a line."""
_MOST_LABELS = 30
"""Small maps with more words than this on a side have no labels; a line below says what they are."""


def draw_time_lapse(frames: Sequence[Frame], path: Path) -> None:
    """Draw an animation (.gif), or small maps side by side (.png, .svg, .pdf); all have the same words."""
    if not frames:
        raise RegardError("there is nothing to draw: no frames were given")
    first = frames[0][1]
    for name, each in frames:
        if (each.rows, each.columns) != (first.rows, first.columns):
            raise RegardError(f"{name}: has other words than {frames[0][0]}; force one translation for all")
    if path.suffix.lower() == ".gif":
        seconds = [SECONDS] * (len(frames) - 1) + [3 * SECONDS]
        write_animation([partial(_frame, *frame) for frame in frames], path, seconds)
    else:
        write_picture(lambda: _small_maps(frames), path)


def _frame(name: str, attention: AttentionMap) -> "Figure":
    from matplotlib.figure import Figure

    width, height = size_of(len(attention.rows), len(attention.columns))
    figure = Figure(figsize=(width + 0.4, height + 0.5), layout="constrained")
    axes = figure.add_subplot()
    image = paint(axes, attention.weights, attention.rows, attention.columns)
    axes.set_xlabel(name, fontsize=12, labelpad=8)
    figure.supxlabel(fill(attention.caption, CAPTION), fontsize=8.5, color=FAINT)
    add_scale(figure, image, [axes])
    return figure


def _small_maps(frames: Sequence[Frame]) -> "Figure":
    from matplotlib.figure import Figure

    rows, columns = len(frames[0][1].rows), len(frames[0][1].columns)
    labelled = max(rows, columns) <= _MOST_LABELS
    cell = 0.2 if labelled else 0.05
    width, height = max(1.3, cell * columns), max(1.0, cell * rows)
    down = math.ceil(len(frames) / min(_ACROSS, max(1, int(_WIDEST / width))))
    across = math.ceil(len(frames) / down)
    extra = 0.9 if labelled else 0.3
    figure = Figure(figsize=(1.2 + width * across, 0.9 + (height + extra) * down), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False)
    image = None
    for place, axes in enumerate(panels.ravel()):
        if place >= len(frames):
            axes.set_axis_off()
            continue
        name, attention = frames[place]
        image = axes.imshow(
            attention.weights, cmap=COLOURS, vmin=0.0, vmax=1.0, aspect="auto", interpolation="nearest"
        )
        axes.set_xticks([])
        axes.set_yticks([])
        if labelled:
            axes.set_xticks(range(columns), [drawable(label) for label in attention.columns], rotation=90)
        if labelled and place % across == 0:
            axes.set_yticks(range(rows), [drawable(label) for label in attention.rows])
        axes.tick_params(length=0, labelsize=8)
        axes.spines[:].set_color("#bbbbbb")
        axes.set_title(name, fontsize=9.5)
    add_scale(figure, image, list(panels.ravel()))
    first = frames[0][1]
    told = first.caption if labelled else f"{first.summary}\n{axis_labels([first])}"
    figure.supxlabel(fill(told, 2 * CAPTION), fontsize=8.5, color=FAINT)
    return figure
