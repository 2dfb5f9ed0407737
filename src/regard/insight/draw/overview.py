"""All layers and heads at once: small maps on one scale."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from regard.errors import RegardError
from regard.insight.draw.heat import COLOURS, FAINT, add_scale
from regard.insight.maps import KIND_NAMES, AttentionMap
from regard.insight.picture import drawable, write_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_SIDE = 24
"""Layers, and heads, that fit on one page."""
_SMALL, _LARGE = 1.05, 2.4
"""Inches: the sides of the smallest map, and of the largest."""
_WIDEST = 18.0
"""Inches that maps side by side may take so that there is room for their words."""
_WORD = 0.13
"""Inches that a word needs across its line, so that it can be read beside its neighbours."""
_WORDS_BELOW = 0.5
"""Inches for the words below a map."""
_LONGEST_WORD = 14


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
    side = _side(grid)
    heights = [side * _slope(heads[0]) for heads in grid.values()]
    below = _with_words_below([heads[0] for heads in grid.values()])
    figure = Figure(
        figsize=(2.0 + side * most, 0.7 + sum(heights) + _WORDS_BELOW * len(below)), layout="constrained"
    )
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
            _write_words(axes, heads[place], side, first=place == 0, last=number in below)
    add_scale(figure, image, list(panels.ravel()))
    told = axis_labels([each for heads in grid.values() for each in heads])
    figure.supxlabel(told if not title else f"{title} — {told}", fontsize=8.5, color=FAINT, linespacing=1.4)
    return figure


def _side(grid: dict[str, list[AttentionMap]]) -> float:
    """The width of a map: room for its words, if all maps of a line then fit on a page."""
    most = max(map(len, grid.values()))
    words = max(len(heads[0].columns) for heads in grid.values())
    least = _LARGE - 0.2 if most * len(grid) <= 4 else _SMALL
    wanted = max(least, min(_LARGE, _WORD * words))
    return wanted if wanted * most <= _WIDEST else _SMALL


def _with_words_below(lines: Sequence[AttentionMap]) -> list[int]:
    """The lines below which columns are named: those above with the same columns are named by them, too."""
    after = [*(each.columns for each in lines[1:]), None]
    return [number for number, each in enumerate(lines) if each.columns != after[number]]


def _write_words(axes: "Axes", attention: AttentionMap, side: float, *, first: bool, last: bool) -> None:
    """Name rows beside the first map of a line and columns below the last, where each word has room."""
    rows, columns = len(attention.rows), len(attention.columns)
    if first and 0 < _WORD * rows <= side * _slope(attention):
        axes.set_yticks(range(rows), [_short(word) for word in attention.rows])
    if last and 0 < _WORD * columns <= side:
        axes.set_xticks(range(columns), [_short(word) for word in attention.columns], rotation=90)
    axes.tick_params(length=0, labelsize=7, pad=2)


def _short(word: str) -> str:
    shown = drawable(word)
    return shown if len(shown) <= _LONGEST_WORD else f"{shown[: _LONGEST_WORD - 1]}…"


def _slope(attention: AttentionMap) -> float:
    """Height by width of a small map: near that of its cells, and never a thread."""
    return min(1.6, max(0.6, len(attention.rows) / max(1, len(attention.columns))))


def axis_labels(maps: Sequence[AttentionMap]) -> str:
    """What rows and columns of maps without labels are, with their numbers where those are the same."""
    kinds: dict[str, list[AttentionMap]] = {}
    for each in maps:
        kinds.setdefault(KIND_NAMES[each.kind], []).append(each)
    lines = []
    for kind, own in kinds.items():
        sizes = {each.weights.shape for each in own}
        rows, columns = (f"{size} " for size in sizes.pop()) if len(sizes) == 1 else ("", "")
        looking, looked_at = own[0].axes
        told = f"rows: {rows}{looking}, top to bottom; columns: {columns}{looked_at}, left to right"
        lines.append(f"{kind}; {told}")
    return "\n".join(lines)
