"""All layers and heads at once: small maps on one scale."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from regard.errors import RegardError
from regard.insight.draw.heat import COLOURS, add_scale
from regard.insight.maps import AttentionMap, MapKind
from regard.insight.picture import write_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SIDES: dict[MapKind, tuple[str, str]] = {
    "cross": ("written", "read"),
    "encoder-self": ("read", "read"),
    "decoder-self": ("fed", "fed"),
    "hops": ("hops", "read"),
    "memory": ("read", "read"),
}
"""What the rows and the columns of a kind of map are."""
MOST_SIDE = 24
"""Layers, and heads, that fit on one page."""


def draw_overview(maps: Sequence[AttentionMap], path: Path, *, title: str = "") -> None:
    """Draw maps as a grid, a line for each layer and a column for each head, from 0 to the largest weight."""
    grid = layers_and_heads(maps)
    if len(grid) > MOST_SIDE or max(map(len, grid.values())) > MOST_SIDE:
        found = f"{len(grid)} × {max(map(len, grid.values()))}"
        raise RegardError(
            f"an overview has at most {MOST_SIDE} × {MOST_SIDE} maps, found {found}; choose some"
        )
    write_picture(lambda: _figure(grid, title), path)


def layers_and_heads(maps: Sequence[AttentionMap]) -> dict[str, list[AttentionMap]]:
    """The maps of each layer by its name, heads in their order; an attention without layers is one."""
    if not maps:
        raise RegardError("there is no attention to show: no maps were given")
    kinds = {each.kind for each in maps}
    grid: dict[str, list[AttentionMap]] = {}
    for each in maps:
        layer = getattr(each, "layer", None)
        name = each.path if layer is None else f"layer {layer}"
        if len(kinds) > 1 and layer is not None:
            name = f"{each.kind} {name}"
        grid.setdefault(name, []).append(each)
    for heads in grid.values():
        heads.sort(key=lambda each: getattr(each, "head", None) or 0)
    return grid


def _figure(grid: dict[str, list[AttentionMap]], title: str) -> "Figure":
    from matplotlib.figure import Figure

    most = max(map(len, grid.values()))
    side = 2.2 if most * len(grid) <= 4 else 1.05
    heights = [side * _slope(heads[0]) for heads in grid.values()]
    figure = Figure(figsize=(1.2 + side * most, 0.7 + sum(heights)), layout="constrained")
    panels = figure.subplots(len(grid), most, squeeze=False, height_ratios=heights)
    largest = max(float(each.weights.max(initial=0.0)) for heads in grid.values() for each in heads) or 1.0
    image = None
    for number, (line, (name, heads)) in enumerate(zip(panels, grid.items(), strict=True)):
        for place, axes in enumerate(line):
            axes.set_xticks([])
            axes.set_yticks([])
            axes.spines[:].set_color("#bbbbbb")
            axes.spines[:].set_linewidth(0.6)
            if place >= len(heads):
                axes.set_axis_off()
                continue
            image = axes.imshow(
                heads[place].weights, cmap=COLOURS, vmin=0.0, vmax=largest, aspect="auto",
                interpolation="nearest",
            )  # fmt: skip
            if number == 0 and most > 1:
                axes.set_title(f"head {place}", fontsize=9)
            if place == 0:
                axes.set_ylabel(name, fontsize=9, rotation=0, ha="right", va="center")
    add_scale(figure, image, list(panels.ravel()))
    told = axes_told([each for heads in grid.values() for each in heads])
    figure.supxlabel(
        told if not title else f"{title} — {told}", fontsize=8.5, color="#555555", linespacing=1.4
    )
    return figure


def _slope(attention: AttentionMap) -> float:
    """Height by width of a small map: near that of its cells, and never a thread."""
    return min(1.6, max(0.6, len(attention.rows) / max(1, len(attention.columns))))


def axes_told(maps: Sequence[AttentionMap]) -> str:
    """What rows and columns of maps without labels are, with their numbers where those are the same."""
    kinds: dict[MapKind, set[tuple[int, ...]]] = {}
    for each in maps:
        kinds.setdefault(each.kind, set()).add(each.weights.shape)
    lines = []
    for kind, sizes in kinds.items():
        rows, columns = (f"{size} " for size in sizes.pop()) if len(sizes) == 1 else ("", "")
        looking, looked_at = _SIDES[kind]
        told = f"rows: {rows}{looking}, top to bottom; columns: {columns}{looked_at}, left to right"
        lines.append(told if len(kinds) == 1 else f"{kind} — {told}")
    return "\n".join(lines)
