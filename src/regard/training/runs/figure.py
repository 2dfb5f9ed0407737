"""The same curves as a picture: PNG, SVG or PDF."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regard.insight.display import visible
from regard.insight.picture import write_picture
from regard.training.runs.panels import Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Of Okabe and Ito: they can be told apart with any kind of sight."""
DASHES = ("-", (0, (5, 1.5)))
"""More runs than colours come back in dashes."""
GREY = "#666666"
MOST_DOTS, MOST_NUMBERS = 60, 4
"""More validations than this are a line without dots; the best of more runs than this have no numbers."""


def draw_panels(panels: Sequence[Panel], names: Sequence[str], path: Path) -> None:
    """Draw panels side by side; `names` are those of the runs in them."""
    write_picture(lambda: _figure(panels, [visible(name) for name in names]), path)


def _figure(panels: Sequence[Panel], names: Sequence[str]) -> "Figure":
    from matplotlib.figure import Figure

    columns = _columns(names)
    height = 3.6 + 0.21 * math.ceil(len(names) / columns)
    figure = Figure(figsize=(5.4 * len(panels), height), layout="constrained")
    for place, panel in enumerate(panels, start=1):
        axes = figure.add_subplot(1, len(panels), place)
        _draw(axes, panel)
    if len(names) == 1:
        figure.suptitle(names[0], fontsize=11)
    else:
        handles = figure.axes[0].get_legend_handles_labels()[0]
        figure.legend(handles, names, loc="outside lower center", ncols=columns, frameon=False, fontsize=9.5)
    return figure


def _columns(names: Sequence[str]) -> int:
    """How many names fit side by side."""
    return max(1, min(len(names), 120 // (max(map(len, names)) + 8)))


def _draw(axes: "Axes", panel: Panel) -> None:
    for number, curve in enumerate(panel.curves):
        look: dict[str, Any] = {
            "color": COLOURS[number % len(COLOURS)],
            "linestyle": DASHES[number // len(COLOURS) % len(DASHES)],
        }
        axes.plot([], [], linewidth=1.8, label=str(number), **look)  # for the legend, if it has points or not
        faint = 0.45 if curve.dev else 1.0
        axes.plot(*_columns_of(curve.train), linewidth=1.1, alpha=faint, **look)
        dots = 3.2 if len(curve.dev) <= MOST_DOTS else 0.0
        axes.plot(*_columns_of(curve.dev), linewidth=1.6, marker="o", markersize=dots, **look)
        if curve.best:
            x, y = curve.best
            axes.plot(
                x, y, "o", markersize=8, markerfacecolor="none", markeredgewidth=1.5, color=look["color"]
            )
            if len(panel.curves) <= MOST_NUMBERS:
                axes.annotate(
                    f"{y:.3g}", (x, y), (0, 7), textcoords="offset points", ha="center", va="bottom",
                    fontsize=9, color=look["color"],
                )  # fmt: skip
    signs = ["train faint"] if panel.has_both else []
    signs += ["ring: best"] if any(curve.best for curve in panel.curves) else []
    axes.set_title(panel.title + (f" ({', '.join(signs)})" if signs else ""), loc="left", fontsize=11)
    axes.set_xlabel(panel.axis, color=GREY, fontsize=9.5)
    axes.grid(axis="y", color="#e6e6e6", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color("#bbbbbb")
    axes.tick_params(length=0, labelsize=9, colors=GREY)
    axes.set_xlim(0, 1.03 * panel.end)
    axes.margins(y=0.09)


def _columns_of(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]
