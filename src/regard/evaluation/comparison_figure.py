"""A comparison as a picture: each metric with its intervals, and one metric by length of the source."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regard.evaluation.comparison import Comparison
from regard.evaluation.test_set import LENGTH
from regard.insight.display import visible
from regard.insight.picture import write_picture
from regard.metrics.metric import Metric, metric_named
from regard.progress import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = ("#444444", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""The baseline's, then Okabe and Ito's: they can be told apart without seeing red or green."""
_MARKS = "osD^vP*X"
_LONGEST_NAME = 28
FEW = 20
"""The score of a group with fewer rows says little: it is drawn hollow, and nothing solid leads to it."""


def draw_comparison(comparison: Comparison, path: Path) -> None:
    """Draw a comparison into a file; its ending says the format."""
    write_picture(lambda: _figure(comparison), path)


def _figure(comparison: Comparison) -> "Figure":
    from matplotlib.figure import Figure

    metrics = comparison.metrics
    has_lengths = len(comparison.first.by[LENGTH]) > 1
    systems = len(comparison.evaluations)
    above, below = 0.8 + 0.34 * systems, 2.7 if has_lengths else 0.0
    figure = Figure(figsize=(2.4 + 2.3 * max(2, len(metrics)), above + below + 0.3), layout="constrained")
    grid = figure.add_gridspec(
        2 if has_lengths else 1, len(metrics), height_ratios=[above, below] if has_lengths else None
    )
    for place, metric in enumerate(metrics):
        _draw_scores(figure.add_subplot(grid[0, place]), comparison, metric, named=place == 0)
    if has_lengths:
        _draw_lengths(figure.add_subplot(grid[1, :]), comparison, metrics[0])
    title = f"{visible(comparison.first.test_set.name)}, {counted(comparison.first.rows, 'row')}"
    legend = f"bars: 95 % of the resampled scores; p: against {_names(comparison)[0]}"
    figure.suptitle(f"{title}\n{legend}", fontsize=9, x=0.01, ha="left")
    return figure


def _draw_scores(axes: "Axes", comparison: Comparison, metric: str, *, named: bool) -> None:
    """A dot and an interval for each system, the baseline on top."""
    known = metric_named(metric)
    for place, (name, evaluation) in enumerate(comparison.evaluations.items()):
        if metric not in evaluation.metrics:
            continue
        value = evaluation.metrics[metric]
        low, high = evaluation.intervals[metric]
        axes.plot([low, high], [place, place], color=_colour(place), linewidth=2, solid_capstyle="round")
        axes.plot([value], [place], **_mark(place), linestyle="none")
        found = comparison.differences.get(name, {}).get(metric)
        sure = f"  p={found.p_value:.3f}" if found else ""
        axes.annotate(
            f"{value:.{known.decimals}f}{sure}", (value, place), (0, 6), textcoords="offset points",
            ha="center", fontsize=7.5, color="#333333",
        )  # fmt: skip
    worse = ", less is better" if known.lower_is_better else ""
    axes.set_title(f"{_title(known)}{worse}", fontsize=10)
    axes.set_yticks(range(len(comparison.evaluations)), _names(comparison) if named else [])
    axes.set_ylim(len(comparison.evaluations) - 0.5, -0.75)
    axes.margins(x=0.35)
    axes.locator_params(axis="x", nbins=4)
    axes.grid(axis="x", color="#e5e5e5")
    _clear(axes)
    # Room beyond what can be is for the numbers above the dots; the scale itself ends there.
    (least, most), (low, high) = known.range, axes.get_xlim()
    axes.spines["bottom"].set_bounds(max(least, low), min(most, high))
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def _draw_lengths(axes: "Axes", comparison: Comparison, metric: str) -> None:
    """A line for each system over the groups by length; how many rows each group has is written below."""
    groups = comparison.first.by[LENGTH]
    few = [group.rows < FEW for group in groups.values()]
    for place, (label, evaluation) in enumerate(
        zip(_names(comparison), comparison.evaluations.values(), strict=True)
    ):
        own = evaluation.by[LENGTH]
        values = [own[value].metrics.get(metric, float("nan")) for value in groups]
        _draw_line(axes, values, few, place, label)
    axes.set_xticks(
        range(len(groups)), [f"{value}\n{counted(group.rows, 'row')}" for value, group in groups.items()]
    )
    hollow = f"; hollow: fewer than {FEW} rows, which tell little" if any(few) else ""
    axes.set_xlabel(f"words of the source{hollow}", fontsize=9)
    axes.set_ylabel(_title(metric_named(metric)), fontsize=9)
    axes.grid(axis="y", color="#e5e5e5")
    axes.margins(x=0.05, y=0.12)
    (least, most), (low, high) = metric_named(metric).range, axes.get_ylim()
    axes.set_ylim(max(low, least), min(high, most))
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=9)
    _clear(axes)


def _draw_line(axes: "Axes", values: Sequence[float], few: Sequence[bool], place: int, label: str) -> None:
    """The scores of a system: solid between groups of many rows, faint and dotted from and to one of few."""
    whole: dict[str, Any] = {"linewidth": 1.4, "color": _colour(place), "clip_on": False}
    for left in range(len(values) - 1):
        faint: dict[str, Any] = {"linestyle": ":", "alpha": 0.5} if few[left] or few[left + 1] else {}
        axes.plot([left, left + 1], values[left : left + 2], **whole, **faint)
    for hollow in (True, False):
        chosen = [at for at, own in enumerate(few) if own is hollow]
        fill: dict[str, Any] = {"markerfacecolor": "white", "alpha": 0.6} if hollow else {}
        axes.plot(
            chosen, [values[at] for at in chosen], **_mark(place), **fill, linestyle="none", clip_on=False
        )
    axes.plot([], [], label=label, linewidth=1.4, **_mark(place))


def _title(metric: Metric) -> str:
    return metric.title or metric.name


def _clear(axes: "Axes") -> None:
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=9)


def _mark(place: int) -> dict[str, Any]:
    return {"color": _colour(place), "marker": _MARKS[place % len(_MARKS)], "markersize": 4.5}


def _colour(place: int) -> str:
    return _COLOURS[place % len(_COLOURS)]


def _names(comparison: Comparison) -> Sequence[str]:
    """Names that leave room for the rest: the end of a path tells more than its beginning."""
    names = map(visible, comparison.evaluations)
    return [name if len(name) <= _LONGEST_NAME else f"…{name[1 - _LONGEST_NAME :]}" for name in names]
