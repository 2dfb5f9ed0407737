"""The curves of `bench/growth.py` as one picture: time above, memory below, on logarithmic axes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regard.experiments.figure import COLOURS, GREY
from regard.insight.picture import write_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAMES = {
    "length": "sentence length (words)",
    "batch": "sentences at a time",
    "vocabulary": "vocabulary (entries)",
    "beam": "beam",
    "rows": "corpus (rows)",
}
WORKS = ("training", "decoding", "opening")
MEGABYTE = 1e6


def draw_growth(curves: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draw them into a file; its ending says the format."""
    write_picture(lambda: _figure(curves), path)


def _figure(curves: Sequence[Mapping[str, Any]]) -> "Figure":
    from matplotlib.figure import Figure

    axes = list(dict.fromkeys(curve["axis"] for curve in curves))
    figure = Figure(figsize=(3.3 * len(axes), 6.0), layout="constrained")
    panels = figure.subplots(2, len(axes), squeeze=False, sharex="col")
    for column, axis in enumerate(axes):
        above, below = panels[0][column], panels[1][column]
        own = [curve for curve in curves if curve["axis"] == axis]
        for curve in own:
            _time(above, curve)
            _memory(below, curve)
        below.set_ylim(bottom=min(min(curve["memory"]) for curve in own) / MEGABYTE / 1.5)
        for panel in (above, below):
            _logarithmic(panel, own[0]["values"])
            panel.spines[["top", "right"]].set_visible(False)
            panel.legend(fontsize=8, frameon=False)
        below.set_xlabel(NAMES[axis])
    panels[0][0].set_ylabel("seconds")
    panels[1][0].set_ylabel("memory (MB)")
    return figure


def _logarithmic(panel: "Axes", values: Sequence[int]) -> None:
    """Both axes, with plain numbers; below, those that were measured."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

    panel.set_xscale("log")
    panel.set_yscale("log")
    plain = FuncFormatter(lambda number, _: f"{number:,.0f}" if number >= 1 else f"{number:g}")
    for axis, ticks in ((panel.xaxis, FixedLocator(values)), (panel.yaxis, LogLocator(subs=(1.0, 2.0, 5.0)))):
        axis.set_major_locator(ticks)
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(plain)
    panel.tick_params(labelsize=8)
    panel.tick_params(axis="x", labelrotation=45)


def _time(panel: "Axes", curve: Mapping[str, Any]) -> None:
    """Measured, and what the operations demand if each costs what it costs at the largest size."""
    colour = COLOURS[WORKS.index(curve["work"])]
    values, seconds = curve["values"], curve["seconds"]
    each = seconds[-1] / curve["demanded"][-1]
    panel.plot(values, seconds, "o-", color=colour, markersize=4, label=curve["work"])
    label = "rows" if curve["work"] == "opening" else "its operations"
    panel.plot(values, [each * count for count in curve["demanded"]], "--", color=colour, label=label)


def _memory(panel: "Axes", curve: Mapping[str, Any]) -> None:
    """Measured, and a line that doubles where the size doubles; with length, also one that goes fourfold."""
    colour = COLOURS[WORKS.index(curve["work"])]
    values, memory = curve["values"], [size / MEGABYTE for size in curve["memory"]]
    panel.plot(values, memory, "o-", color=colour, markersize=4, label=curve["work"])
    if curve["work"] == "decoding" and curve["axis"] != "beam":
        return  # one guide a panel
    for power, style in ((1, ":"), (2, "-.")) if curve["axis"] == "length" else ((1, ":"),):
        guide = [memory[-1] * (value / values[-1]) ** power for value in values]
        panel.plot(values, guide, style, color=GREY, linewidth=1, label=f"slope {power}")
