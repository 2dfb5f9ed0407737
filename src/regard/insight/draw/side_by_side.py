"""Maps side by side: before and after an edit, several models, and one sentence while a model learned."""

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

from regard.errors import RegardError
from regard.insight.draw.heat import (
    CAPTION,
    COLOURS,
    FAINT,
    add_scale,
    letters,
    paint,
    size_of,
    write_caption,
)
from regard.insight.draw.overview import axis_labels
from regard.insight.maps import AttentionMap, MapDifference, difference
from regard.insight.picture import drawable, write_animation, write_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_ACROSS = 4.0
"""Maps that side by side would be more than this times as wide as tall stand below each other."""
REMOVED, ADDED = "#b2182b", "#2166ac"


def draw_before_after(
    before: AttentionMap,
    after: AttentionMap,
    path: Path,
    *,
    names: tuple[str, str] = ("before", "after"),
    title: str = "",
) -> None:
    """Draw both maps and after − before; words of only one side are grey in the difference.

    title: by default the rows of both as a word diff
    """
    write_picture(lambda: _change_figure(before, after, names, title), path)


def _change_figure(before: AttentionMap, after: AttentionMap, names: tuple[str, str], title: str) -> "Figure":
    from matplotlib.figure import Figure

    change = difference(before, after)
    width, height = size_of(len(change.rows), len(change.columns))
    if len(change.columns) <= 24 or 3 * width <= MOST_ACROSS * height:
        figure = Figure(figsize=(3 * width + 1, height + 0.4), layout="constrained")
        ratios = [len(each.columns) for each in (before, after, change)]
        left, middle, right = figure.subplots(1, 3, width_ratios=ratios)
    else:
        width, height = width / 3, 3 * height  # of one map in a line, for the text above
        figure = Figure(figsize=(3 * width + 1, height + 0.4), layout="constrained")
        ratios = [len(each.rows) for each in (before, after, change)]
        left, middle, right = figure.subplots(3, 1, height_ratios=ratios)
    for axes, each, name in ((left, before, names[0]), (middle, after, names[1])):
        image = paint(axes, each.weights, each.rows, each.columns)
        told = "\n".join(filter(None, [name, fill(each.missing_note, letters(width))]))
        axes.set_xlabel(told, fontsize=11, labelpad=8, linespacing=1.4)
    add_scale(figure, image, [left, middle])
    rows = [f"{sign} {label}".strip() for sign, label in change.rows]
    columns = [f"{sign} {label}".strip() for sign, label in change.columns]
    image = paint(right, change.weights, rows, columns, signed=True)
    note = " (grey: the word is on one side only)" if np.isnan(change.weights).any() else ""
    right.set_xlabel(f"{names[1]} − {names[0]}{note}", fontsize=11, labelpad=8)
    for ticks, labels in ((right.get_yticklabels(), change.rows), (right.get_xticklabels(), change.columns)):
        for tick, (sign, _) in zip(ticks, labels, strict=False):
            tick.set_color({"−": REMOVED, "+": ADDED}.get(sign, "black"))
    add_scale(figure, image, [right], "change of weight")
    figure.supxlabel(fill(before.caption, 2 * CAPTION), fontsize=8.5, color=FAINT)
    figure.suptitle(fill(title or _summary(change), round(24 * width)), fontsize=11)
    return figure


def _summary(change: MapDifference) -> str:
    """The word diff in one line: what is gone in [−brackets−], what is new in {+braces+}."""
    marks = {"−": "[−{}−]", "+": "{{+{}+}}", "": "{}"}
    return " ".join(marks[sign].format(drawable(label)) for sign, label in change.rows)


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
    write_picture(lambda: _models_figure(maps, title), path)


def _models_figure(maps: Sequence[tuple[str, AttentionMap]], title: str) -> "Figure":
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
