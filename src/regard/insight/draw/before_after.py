"""Before and after an edit: two maps side by side, their difference, and the words that changed."""

from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

from regard.insight.difference import MapDifference, difference
from regard.insight.draw.heat import CAPTION, FAINT, add_scale, letters, paint, size_of
from regard.insight.maps import AttentionMap
from regard.insight.picture import drawable, write_picture

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
    write_picture(lambda: _figure(before, after, names, title), path)


def _figure(before: AttentionMap, after: AttentionMap, names: tuple[str, str], title: str) -> "Figure":
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
