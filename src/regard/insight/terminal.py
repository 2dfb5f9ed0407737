"""A heat map in the terminal, aligned for words of any width (a Hangul syllable takes two cells)."""

from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text

from regard.insight.labels import visible
from regard.insight.maps import AttentionMap

LONGEST_LABEL = 18
GAP = 1
SHADES = " ░▒▓█"
FAINT = 0.005
"""Weights below half a per cent are drawn as a dot."""
UNCOLOURED = 0.05
"""Weights below this keep the terminal's own background, be it light or dark."""
LIGHT, DEEP = (222, 235, 247), (8, 48, 107)


def heat_map(attention: AttentionMap, *, width: int = 100, colour: bool = True) -> Text:
    """Draw a map with weights in per cent; columns that do not fit go into further panels below.

    width:  cells that a line may have
    colour: shade the cells by colour; else by a sign beside the number
    """
    rows = [_fit(label) for label in attention.rows]
    columns = [_fit(label) for label in attention.columns]
    margin = max((cell_len(label) for label in rows), default=0)
    cells = [max(cell_len(label), 4) + GAP for label in columns]
    text = Text(no_wrap=True, end="")
    for number, (first, last) in enumerate(_panels(cells, width - margin)):
        if number:
            text.append("\n\n")
        text.append(" " * margin)
        for label, size in zip(columns[first:last], cells[first:last], strict=True):
            text.append(_right(label, size), style="bold")
        for label, weights in zip(rows, attention.weights, strict=True):
            text.append("\n" + _right(label, margin), style="bold")
            for weight, size in zip(weights[first:last], cells[first:last], strict=True):
                text.append(" " * GAP)
                text.append_text(_cell(float(weight), size - GAP, colour=colour))
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
    strength = min(1.0, weight)
    red, green, blue = (
        round(light + strength * (deep - light)) for light, deep in zip(LIGHT, DEEP, strict=True)
    )
    ink = "#ffffff" if strength > 0.45 else "#1a1a1a"
    return Text(f"{number:>{size}}", style=Style(color=ink, bgcolor=f"#{red:02x}{green:02x}{blue:02x}"))


def _fit(label: str) -> str:
    shown = visible(label)
    return shown if cell_len(shown) <= LONGEST_LABEL else set_cell_size(shown, LONGEST_LABEL - 1) + "…"


def _right(label: str, size: int) -> str:
    return " " * (size - cell_len(label)) + label
