"""A heat map as a picture."""

from pathlib import Path
from typing import TYPE_CHECKING

from regard.insight.labels import visible
from regard.insight.maps import AttentionMap
from regard.insight.picture import write_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_NUMBERS = 400
"""A map with more cells than this is drawn without numbers."""


def draw_heat_map(attention: AttentionMap, path: Path, *, title: str = "") -> None:
    """Draw a map into a file; its ending says the format."""
    write_picture(lambda: _heat_map_figure(attention, title), path)


def _heat_map_figure(attention: AttentionMap, title: str) -> "Figure":
    from matplotlib.figure import Figure

    rows, columns = len(attention.rows), len(attention.columns)
    figure = Figure(figsize=(1.6 + 0.62 * columns, 1.3 + 0.4 * rows))
    axes = figure.add_subplot()
    image = axes.imshow(attention.weights, cmap="Blues", vmin=0.0, vmax=1.0, aspect="auto")
    axes.set_xticks(range(columns), [visible(label) for label in attention.columns], rotation=40, ha="left")
    axes.set_yticks(range(rows), [visible(label) for label in attention.rows])
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=11)
    axes.set_xticks([x - 0.5 for x in range(1, columns)], minor=True)
    axes.set_yticks([y - 0.5 for y in range(1, rows)], minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="minor", length=0)
    axes.spines[:].set_visible(False)
    if rows * columns <= MOST_NUMBERS:
        for y, weights in enumerate(attention.weights):
            for x, weight in enumerate(weights):
                if weight >= 0.01:
                    ink = "white" if weight > 0.55 else "#222222"
                    axes.text(
                        x,
                        y,
                        f"{weight:.2f}"[1:] if weight < 0.995 else "1",
                        ha="center",
                        va="center",
                        color=ink,
                        fontsize=8.5,
                    )
    if title:
        axes.set_xlabel(title, fontsize=11, labelpad=10)
    colour_bar = figure.colorbar(image, ax=axes, fraction=0.03, pad=0.02)
    colour_bar.outline.set_visible(False)
    colour_bar.ax.tick_params(labelsize=8, length=0)
    return figure
