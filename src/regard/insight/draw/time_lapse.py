"""Time-lapse: the attention of one sentence while a model learned."""

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from regard.errors import RegardError
from regard.insight.draw.heat import COLOURS, add_scale, paint, size_of
from regard.insight.labels import visible
from regard.insight.maps import AttentionMap
from regard.insight.picture import write_animation, write_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Frame = tuple[str, AttentionMap]
"""A name, such as "step 1,200", and the map of that time."""
SECONDS = 0.6
"""A frame of the film; the last stays three times as long."""
_ACROSS = 6


def draw_time_lapse(frames: Sequence[Frame], path: Path) -> None:
    """Draw a film (.gif), or small maps side by side (.png, .svg, .pdf); all have the same words."""
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
    add_scale(figure, image, [axes])
    return figure


def _small_maps(frames: Sequence[Frame]) -> "Figure":
    from matplotlib.figure import Figure

    down = math.ceil(len(frames) / _ACROSS)
    across = math.ceil(len(frames) / down)
    rows, columns = len(frames[0][1].rows), len(frames[0][1].columns)
    width, height = max(1.3, 0.2 * columns), max(1.0, 0.2 * rows)
    figure = Figure(figsize=(1.2 + width * across, 0.9 + (height + 0.9) * down), layout="constrained")
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
        axes.set_xticks(range(columns), [visible(label) for label in attention.columns], rotation=90)
        axes.set_yticks(
            range(rows), [visible(label) for label in attention.rows] if place % across == 0 else []
        )
        axes.tick_params(length=0, labelsize=8)
        axes.spines[:].set_color("#bbbbbb")
        axes.set_title(name, fontsize=9.5)
    add_scale(figure, image, list(panels.ravel()))
    return figure
