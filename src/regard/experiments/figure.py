"""An experiment as a picture that explains itself: the finding as its title, the verdicts under it."""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from regard.experiments.estimates import Effect, Estimate, Quantity, estimate
from regard.experiments.experiment import Chart, Curves, Dots, Experiment, Line, Scatter, World
from regard.experiments.record import Reproduction, effect_text, interval_text, over_text
from regard.insight.picture import write_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#444444")
"""Of Okabe and Ito, and grey: they can be told apart with any kind of sight."""
GREY = "#666666"
_WIDTH, _HEIGHT = 5.4, 3.7
_WIDE = 8.0
"""In inches: a chart among others, and one that stands alone."""
_LETTERS_PER_INCH = 15.5
_NEAR = 0.055
"""Labels closer than this share of an axis are moved apart."""


@dataclass(frozen=True)
class Results:
    """Everything that was measured, by world; for each seed system → measure → quantity."""

    experiment: Experiment
    worlds: tuple[World, ...]
    measured: Mapping[str, Sequence[Mapping[str, Mapping[str, Quantity]]]]

    def of(self, world: World, system: str, measure: str) -> Estimate:
        """A measure of a system, with its interval."""
        effect: Effect = lambda seen: seen(system, measure)  # noqa: E731
        return estimate(effect, self.measured[world.name], repeats=self.experiment.repeats)


def draw_results(results: Results, record: Reproduction, path: Path) -> None:
    """Draw the charts of an experiment into a file; its ending says the format."""
    write_picture(lambda: _figure(results, record), path)


def _figure(results: Results, record: Reproduction) -> "Figure":
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    rows = [(world, results.experiment.charts(world)) for world in results.worlds]
    columns = max(len(charts) for _, charts in rows)
    width = _WIDE if columns == 1 else _WIDTH * columns + 0.8
    letters = int(width * _LETTERS_PER_INCH)
    title = textwrap.fill(record.headline, int(0.65 * letters))
    about, below = _about(record, letters), _verdicts(record, letters)
    first = 0.12 + 0.27 * (title.count("\n") + 1)
    top, bottom = first + 0.2 + 0.16 * (about.count("\n") + 1), 0.35 + 0.17 * (below.count("\n") + 1)
    height = top + bottom + _HEIGHT * len(rows)
    inside = (0, bottom / height, 1, 1 - (top + bottom) / height)
    layout = ConstrainedLayoutEngine(rect=inside, wspace=0.06, hspace=0.06)
    figure = Figure(figsize=(width, height), layout=layout)
    grid = figure.add_gridspec(len(rows), columns)
    for row, (world, charts) in enumerate(rows):
        for column, chart in enumerate(charts):
            axes = figure.add_subplot(grid[row, column])
            _draw(axes, chart, results, world)
            if column == 0:
                axes.set_title(world.title, loc="left", fontsize=9.5, color=GREY, pad=10)
    left = 0.15 / width
    figure.text(left, 1 - 0.1 / height, title, fontsize=14, va="top")
    figure.text(left, 1 - first / height, about, fontsize=9, color=GREY, va="top", linespacing=1.3)
    figure.text(left, 0.1 / height, below, fontsize=9, va="bottom", linespacing=1.35)
    return figure


def _about(record: Reproduction, letters: int) -> str:
    times = f"{len(record.seeds)} {record.repeats if len(record.seeds) > 1 else record.repeats[:-1]}"
    quick = "; quick form: small models, short training" if record.quick else ""
    bands = (
        "over seeds; where there is one seed, over test rows"
        if record.repeats == "seeds"
        else "over repetitions"
    )
    lines = (
        record.paper,
        f"Run again with {times}{quick}. Bands and bars are 95 % intervals {bands}.",
    )
    return "\n".join(textwrap.fill(line, letters) for line in lines)


def _verdicts(record: Reproduction, letters: int) -> str:
    """A line or two for each finding."""
    several = len({finding.world for finding in record.findings}) > 1
    told = []
    for finding in record.findings:
        where = f" ({finding.world})" if several else ""
        told.append(
            f"{finding.verdict.upper()}: {finding.name}{where}: {effect_text(finding)}, "
            f"95 % interval {interval_text(finding)} over {over_text(finding)}; claim: {finding.claim}"
        )
    told += [f"LEFT OUT: {each.world}: {each.why}" for each in record.left_out]
    told += [f"NOTE: {note}" for note in record.notes]
    return "\n".join(textwrap.fill(line, letters, subsequent_indent="    ") for line in told)


def _draw(axes: "Axes", chart: Chart, results: Results, world: World) -> None:
    match chart:
        case Curves():
            _draw_curves(axes, chart, results, world)
        case Dots():
            _draw_dots(axes, chart, results, world)
        case Scatter():
            _draw_scatter(axes, chart, results, world)
    axes.set_axisbelow(True)
    axes.grid(axis="x" if isinstance(chart, Dots) else "y", color="#e6e6e6", linewidth=0.8)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color("#bbbbbb")
    axes.tick_params(length=0, labelsize=9, colors=GREY)


def _draw_curves(axes: "Axes", chart: Curves, results: Results, world: World) -> None:
    systems = list(dict.fromkeys(line.system for line in chart.lines))
    ends: list[_End] = []
    for number, line in enumerate(chart.lines):
        colour = COLOURS[(systems.index(line.system) if len(systems) > 1 else number) % len(COLOURS)]
        found = _line(line, results, world)
        if not found:
            continue
        places = [place for place, _ in found]
        values = [each.value for _, each in found]
        style = "--" if line.dashed else "-"
        axes.plot(places, values, style, color=colour, linewidth=1.8, marker="o", markersize=3.8)
        lows, highs = zip(*(each.interval for _, each in found), strict=True)
        axes.fill_between(places, lows, highs, color=colour, alpha=0.16, linewidth=0)
        ends.append(_End(values[-1], places[-1], line.label, colour))
    if chart.log_x:
        axes.set_xscale("log")
    if chart.ticks is not None:
        last = max((end.place for end in ends), default=0.0)
        ticks = [(place, name) for place, name in chart.ticks if place <= last]
        axes.set_xticks([place for place, _ in ticks], [name for _, name in ticks])
        axes.minorticks_off()
    if chart.level is not None:
        _draw_level(axes, *chart.level, above=all(end.value < chart.level[0] for end in ends))
    axes.margins(y=0.08)
    _label_ends(axes, ends)
    axes.set_xlabel(chart.x, fontsize=9.5, color=GREY)
    axes.set_ylabel(chart.y, fontsize=9.5, color=GREY)


class _End(NamedTuple):
    """Where a line ends, and what is written there."""

    value: float
    place: float
    label: str
    colour: str


def _draw_level(axes: "Axes", value: float, name: str, *, above: bool) -> None:
    """A height to compare with, its name on the side where fewer lines are."""
    axes.axhline(value, color="#999999", linewidth=1, linestyle=":")
    axes.annotate(
        name, (0.5, value), (0, 2 if above else -3), xycoords=("axes fraction", "data"),
        textcoords="offset points", ha="center", va="bottom" if above else "top", fontsize=8.5, color=GREY,
    )  # fmt: skip


def _line(line: Line, results: Results, world: World) -> list[tuple[float, Estimate]]:
    measures = results.measured[world.name][0][line.system]
    return [
        (place, results.of(world, line.system, measure))
        for place, measure in line.points
        if measure in measures
    ]


def _label_ends(axes: "Axes", ends: Sequence[_End]) -> None:
    """Names at the right end of the lines, moved apart where they would lie upon each other."""
    low, high = axes.get_ylim()
    gap = _NEAR * (high - low)
    height = low - gap
    for end in sorted(ends):
        height = max(end.value, height + gap)
        axes.annotate(
            end.label, (end.place, height), (7, 0), textcoords="offset points", va="center", fontsize=9.5,
            color=end.colour, annotation_clip=False,
        )  # fmt: skip


def _draw_dots(axes: "Axes", chart: Dots, results: Results, world: World) -> None:
    found = {
        system: results.of(world, system, chart.measure)
        for system in world.systems
        if chart.measure in results.measured[world.name][0][system]
    }
    ordered = sorted(found, key=lambda system: found[system].value, reverse=chart.less_is_better)
    for place, system in enumerate(ordered):
        each = found[system]
        colour = COLOURS[0]
        axes.plot(
            each.interval, [place, place], color=colour, linewidth=2, alpha=0.45, solid_capstyle="round"
        )
        axes.plot([each.value], [place], "o", color=colour, markersize=5)
        axes.annotate(
            f"{each.value:.3g}", (each.value, place), (0, 5), textcoords="offset points", ha="center",
            fontsize=8, color=GREY,
        )  # fmt: skip
    axes.set_yticks(range(len(ordered)), [world.systems[system] for system in ordered])
    axes.set_ylim(-0.6, len(ordered) - 0.2)
    axes.margins(x=0.12)
    axes.set_xlabel(chart.x + (" (less is better)" if chart.less_is_better else ""), fontsize=9.5, color=GREY)


def _draw_scatter(axes: "Axes", chart: Scatter, results: Results, world: World) -> None:
    labels: list[tuple[float, float, str]] = []
    for system, title in world.systems.items():
        measures = results.measured[world.name][0][system]
        if chart.measure_x not in measures or chart.measure_y not in measures:
            continue
        x, y = (results.of(world, system, measure) for measure in (chart.measure_x, chart.measure_y))
        look: dict[str, Any] = {"color": COLOURS[0], "alpha": 0.3, "linewidth": 1.4}
        axes.plot(x.interval, [y.value, y.value], **look)
        axes.plot([x.value, x.value], y.interval, **look)
        axes.plot([x.value], [y.value], "o", color=COLOURS[0], markersize=5)
        labels.append((y.value, x.value, title))
    axes.margins(0.12)
    _label_points(axes, labels)
    axes.set_xlabel(chart.x, fontsize=9.5, color=GREY)
    axes.set_ylabel(chart.y, fontsize=9.5, color=GREY)


def _label_points(axes: "Axes", labels: Sequence[tuple[float, float, str]]) -> None:
    """Names beside points, (y, x, name); one goes up where it would lie upon another."""
    (low, high), (left, right) = axes.get_ylim(), axes.get_xlim()
    gap, reach = _NEAR * (high - low), 0.4 * (right - left)
    placed: list[tuple[float, float]] = []
    for value, place, name in sorted(labels):
        height = value
        for other_height, other_place in placed:
            if abs(place - other_place) < reach:
                height = max(height, other_height + gap)
        placed.append((height, place))
        axes.annotate(
            name, (place, height), (6, 3), textcoords="offset points", fontsize=8.5, color="#333333"
        )
