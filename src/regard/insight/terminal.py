"""Attention in the terminal, aligned for words of any width (a Hangul syllable takes two cells)."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from regard.insight.display import in_cells
from regard.insight.maps import AttentionMap, MapDifference, Weights
from regard.insight.similarity import SimilarityMap

LONGEST_LABEL = 18
GAP = 1
SHADES = " ░▒▓█"
FAINT = 0.005
"""Weights below half a per cent are drawn as a dot."""
UNCOLOURED = 0.05
"""Weights below this keep the terminal's own background, be it light or dark."""
LIGHT, DEEP = (222, 235, 247), (8, 48, 107)
MISSING = "(missing)"
THUMBNAIL = (6, 12)
"""Lines and cells of a small map."""


def heat_map(attention: AttentionMap, *, width: int = 100, colour: bool = True) -> Text:
    """Draw a map with weights in per cent; columns that do not fit go into further panels below.

    Where rows do not sum to 1, a last column shows what is outside of a window or removed by an edit.

    width:  cells that a line may have
    colour: shade the cells by colour; else by a sign beside the number
    """

    def cell(weight: float, size: int) -> Text:
        return _cell(weight, size, colour=colour)

    columns, weights, lacks = attention.columns, attention.weights, attention.missing
    if lacks.max(initial=0.0) >= FAINT:
        columns, weights = (*columns, MISSING), np.column_stack([weights, lacks])
    return _table(attention.rows, columns, weights, cell, width)


def change_map(change: MapDifference, *, width: int = 100, colour: bool = True) -> Text:
    """Draw a difference in per cent: more in blue with +, less in red with −; a word of one side has none."""
    rows, columns = ([f"{sign}{label}" for sign, label in side] for side in (change.rows, change.columns))

    def cell(weight: float, size: int) -> Text:
        if math.isnan(weight):
            return Text(" " * size)
        if abs(weight) < FAINT:
            return Text(f"{'·':>{size}}", style="dim")
        number = f"{'+' if weight > 0 else '−'}{abs(weight) * 100:.0f}"
        style = Style(color="blue" if weight > 0 else "red", bold=abs(weight) >= 0.25) if colour else ""
        return Text(f"{number:>{size}}", style=style)

    return _table(rows, columns, change.weights, cell, width)


def similarity_map(similarity: SimilarityMap, *, width: int = 100, colour: bool = True) -> Text:
    """Draw what every two words add to a cosine, in hundredths: more in blue, less in red with −."""
    largest = similarity.largest

    def cell(value: float, size: int) -> Text:
        if abs(value) < FAINT / 10:
            return Text(f"{'·':>{size}}", style="dim")
        number, strength = f"{'−' if value < 0 else ''}{abs(value) * 100:.1f}", abs(value) / largest
        if not colour:
            return Text(f"{SHADES[round(strength * (len(SHADES) - 1))] + number:>{size}}")
        if value < 0 or strength < UNCOLOURED:
            return Text(f"{number:>{size}}", style=Style(color="red") if value < 0 else "dim")
        return Text(f"{number:>{size}}", style=_shade(strength))

    return _table(similarity.rows, similarity.columns, similarity.values, cell, width)


def _table(
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    values: Weights,
    cell: Callable[[float, int], Text],
    width: int,
) -> Text:
    rows = [_fit(label) for label in row_labels]
    columns = [_fit(label) for label in column_labels]
    margin = max((cell_len(label) for label in rows), default=0)
    widest = [max((cell(float(value), 0).cell_len for value in column), default=0) for column in values.T]
    cells = [max(cell_len(label), own, 4) + GAP for label, own in zip(columns, widest, strict=True)]
    text = Text(no_wrap=True, end="")
    for number, (first, last) in enumerate(_panels(cells, width - margin)):
        if number:
            text.append("\n\n")
        text.append(" " * margin)
        for label, size in zip(columns[first:last], cells[first:last], strict=True):
            text.append(_right(label, size), style="bold")
        for label, weights in zip(rows, values, strict=True):
            text.append("\n" + _right(label, margin), style="bold")
            for weight, size in zip(weights[first:last], cells[first:last], strict=True):
                text.append(" " * GAP)
                text.append_text(cell(float(weight), size - GAP))
    return text


def _panels(cells: list[int], room: int) -> Iterator[tuple[int, int]]:
    """Ranges of columns that fit side by side; each has at least one."""
    first = used = 0
    for place, size in enumerate(cells):
        if place > first and used + size > room:
            yield first, place
            first, used = place, 0
        used += size
    yield first, len(cells)


def _cell(weight: float, size: int, *, colour: bool) -> Text:
    number = "·" if weight < FAINT else f"{weight * 100:.0f}"
    if not colour:
        shade = SHADES[min(len(SHADES) - 1, round(weight * (len(SHADES) - 1)))]
        return Text(f"{shade + number:>{size}}")
    if weight < UNCOLOURED:
        return Text(f"{number:>{size}}", style="dim")
    return Text(f"{number:>{size}}", style=_shade(min(1.0, weight)))


def _shade(strength: float) -> Style:
    """Ink and ground for a strength from 0 to 1."""
    red, green, blue = (
        round(light + strength * (deep - light)) for light, deep in zip(LIGHT, DEEP, strict=True)
    )
    ink = "#ffffff" if strength > 0.45 else "#1a1a1a"
    return Style(color=ink, bgcolor=f"#{red:02x}{green:02x}{blue:02x}")


def _fit(label: str) -> str:
    shown = in_cells(label)
    if cell_len(shown) <= LONGEST_LABEL:
        return shown
    ends = (end for end in range(len(shown), 0, -1) if cell_len(shown[:end]) < LONGEST_LABEL)
    return shown[: next(ends, 0)] + "…"


def _right(label: str, size: int) -> str:
    return " " * (size - cell_len(label)) + label


def line_list(attention: AttentionMap, *, threshold: float, width: int = 100) -> Text:
    """Each row, and its columns from the largest weight to the least; what a threshold hides is a number.

    width: cells that a line may have; what goes on in the next line stands below what it goes on with
    """
    margin = max((cell_len(_fit(label)) for label in attention.rows), default=0)
    text = Text(no_wrap=True, end="")
    for number, (label, weights) in enumerate(zip(attention.rows, attention.weights, strict=True)):
        text.append(("\n" if number else "") + _right(_fit(label), margin), style="bold")
        text.append(" ←")
        order = sorted(range(len(weights)), key=lambda place: -float(weights[place]))
        parts = [
            (f"{_fit(attention.columns[place])} {_per_cent(float(weights[place]))}", "")
            for place in order
            if weights[place] >= threshold
        ]
        hidden = float(weights[weights < threshold].sum(dtype=float))
        parts += [(f"(others {_per_cent(hidden)})", "dim")] if hidden >= FAINT else []
        used = begin = margin + len(" ←")
        for part, style in parts:
            size = GAP + cell_len(part)
            if used > begin and used + size > width:
                text.append("\n" + " " * begin)
                used = begin
            text.append(" " * GAP)
            text.append(part, style=style)
            used += size
    return text


def highlighted(words: Sequence[str], weights: Weights, *, width: int = 100, colour: bool = True) -> Text:
    """Words shaded by weight, the largest darkest, each with its weight in per cent.

    weights: (words)
    """
    darkest = float(weights.max(initial=0.0)) or 1.0
    text = Text(no_wrap=True, end="")
    used = 0
    for word, weight in zip(words, weights, strict=True):
        strength = float(weight) / darkest
        shown = f"{in_cells(word)} {_per_cent(float(weight))}"
        if not colour:
            shown = SHADES[round(strength * (len(SHADES) - 1))] + shown
        size = cell_len(shown)
        if used and used + GAP + size > width:
            text.append("\n")
            used = 0
        elif used:
            text.append(" " * GAP)
            used += GAP
        text.append(shown, style=_shade(strength) if colour and strength >= UNCOLOURED else "")
        used += size
    return text


def overview(grid: Mapping[str, Sequence[AttentionMap]], *, width: int = 100) -> Text:
    """Small maps of signs, a line for each layer; a sign stands for the largest of the weights under it."""
    rows, columns = THUMBNAIL
    margin = max(map(cell_len, grid))
    text = Text(no_wrap=True, end="")
    for number, (name, maps) in enumerate(grid.items()):
        thumbnails = [_thumbnail(each.weights) for each in maps]
        panels = list(_panels([columns + GAP] * len(maps), width - margin))
        for first, last in panels:
            if number or first:
                text.append("\n\n")
            text.append(_right(name, margin), style="bold")
            for head in range(first, last):
                text.append(f" {f'head {head}':<{columns}}", style="dim")
            for line in range(rows):
                text.append("\n" + " " * margin)
                for thumbnail in thumbnails[first:last]:
                    text.append(" " + thumbnail[line])
    return text


def _thumbnail(weights: Weights) -> list[str]:
    """(rows, columns) as lines of signs; a map smaller than a thumbnail is stretched."""
    lines = []
    for top, bottom in _cuts(weights.shape[0], THUMBNAIL[0]):
        cells = (
            weights[top:bottom, left:right].max() for left, right in _cuts(weights.shape[1], THUMBNAIL[1])
        )
        lines.append("".join(SHADES[round(min(1.0, float(cell)) * (len(SHADES) - 1))] for cell in cells))
    return lines


def _cuts(size: int, parts: int) -> list[tuple[int, int]]:
    """Where `parts` near-equal parts of a range begin and end; each has at least one."""
    return [(n * size // parts, max(n * size // parts + 1, (n + 1) * size // parts)) for n in range(parts)]


def _per_cent(weight: float) -> str:
    return f"{weight * 100:.0f}%"
