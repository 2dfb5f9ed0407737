"""Curves in the terminal: dots of Braille in colour, letters without it."""

import math
import sys
from collections.abc import Sequence

from rich.style import Style
from rich.text import Text

from regard.training.runs.history import Point
from regard.training.runs.panels import Panel

LETTERS = "ABCDEFGHIJKL"
"""One a run."""
_PLAIN = ("cyan", "yellow", "magenta", "green", "bright_blue", "red")
_OTHER = ("bright_cyan", "bright_yellow", "bright_magenta", "bright_green", "blue", "bright_red")
COLOURS = (*_PLAIN, *_OTHER)
"""Names of the sixteen that every terminal has, in the shades that its user likes."""
_BRAILLE = 0x2800
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of a dot by its row and column in a cell."""
_TINY = sys.float_info.min
"""Below this numbers lose their digits, and a part of one may be 0."""


def line_plot(panel: Panel, *, width: int = 80, height: int = 12, colour: bool = True) -> Text:
    """Draw a panel; a letter stands at each validation, and at the end of a line that has none.

    width:  cells of a line
    height: lines of the plot itself; a title and an axis come on top
    colour: tell the runs apart by colour; else their lines, too, are of letters, in lower case
    """
    low, high = _range([y for _, y in panel.points])
    labels = {tick: _label(tick) for tick in ticks(low, high, max(2, height // 2))}
    margin = max(map(len, labels.values())) + 1
    dotted = colour or len(panel.curves) == 1
    canvas = _Canvas(width - margin - 1, height, panel.end, (low, high), dotted=dotted)
    for number, curve in enumerate(panel.curves):
        canvas.line(curve.line, number)
    many = len(panel.curves) > 1
    for number, curve in enumerate(panel.curves):
        for point in curve.dev or curve.line[-1:]:
            canvas.mark(point, LETTERS[number] if many else "●", number)
    signs = (" (lines, capitals)" if many else " (line, ●)") if panel.has_both else ""
    text = Text(f"{panel.title}{signs}\n", no_wrap=True, end="")
    rows = {canvas.row(tick): label for tick, label in labels.items()}
    for row, cells in enumerate(canvas.cells()):
        label = rows.get(row, "")
        text.append(f"{label:>{margin - 1}} {'┤' if label else '│'}", style="dim" if colour else "")
        for sign, owner, is_mark in cells:
            text.append(
                sign, Style(color=COLOURS[owner], bold=is_mark) if colour and owner is not None else None
            )
        text.append("\n")
    text.append(_axis(canvas, margin, panel), style="dim" if colour else "")
    return text


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers between two, at least one and at most `most`, 1, 2 or 5 times a power of ten apart."""
    power = 10.0 ** math.floor(math.log10(max((high - low) / most, _TINY)))
    steps = (power * factor for factor in (1, 2, 5, 10, 20, 50))
    found: list[float] = []
    for step in steps:
        numbers = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        if found and not numbers:
            break
        found = [number * step for number in numbers]
        if len(found) <= most:
            break
    return found


class _Canvas:
    """Cells with dots and signs, each of the run that drew there last."""

    def __init__(self, width: int, height: int, end: float, y: tuple[float, float], *, dotted: bool) -> None:
        self.width, self.height = width, height
        self._end, self._y = end, y
        self._across, self._down = (2, 4) if dotted else (1, 1)
        self._dotted = dotted
        self._dots: dict[tuple[int, int], int] = {}
        self._owner: dict[tuple[int, int], int] = {}
        self._marks: dict[tuple[int, int], tuple[str, int]] = {}

    def line(self, points: Sequence[Point], number: int) -> None:
        places = [self._dot_at(point) for point in points]
        for (x, y), (to_x, to_y) in zip(places, places[1:] or places, strict=False):
            count = max(abs(to_x - x), abs(to_y - y), 1)
            for part in range(count + 1):
                self._dot(x + round((to_x - x) * part / count), y + round((to_y - y) * part / count), number)

    def mark(self, point: Point, sign: str, number: int) -> None:
        self._marks[self._cell_at(point)] = (sign, number)

    def row(self, y: float) -> int:
        return self._cell_at((0.0, y))[1]

    def column(self, x: float) -> int:
        return self._cell_at((x, self._y[0]))[0]

    def cells(self) -> list[list[tuple[str, int | None, bool]]]:
        """Lines of (sign, run, is a mark), up to the last that is drawn."""
        drawn = [*self._owner, *self._marks]
        ends = [max((x + 1 for x, y in drawn if y == row), default=0) for row in range(self.height)]
        return [[self._cell(x, row) for x in range(end)] for row, end in enumerate(ends)]

    def _cell(self, x: int, y: int) -> tuple[str, int | None, bool]:
        if (x, y) in self._marks:
            sign, number = self._marks[x, y]
            return sign, number, True
        if (x, y) not in self._owner:
            return " ", None, False
        number = self._owner[x, y]
        return chr(_BRAILLE + self._dots[x, y]) if self._dotted else LETTERS[number].lower(), number, False

    def _dot(self, x: int, y: int, number: int) -> None:
        cell = x // self._across, y // self._down
        self._dots[cell] = self._dots.get(cell, 0) | _DOTS[y % self._down][x % self._across]
        self._owner[cell] = number

    def _dot_at(self, point: Point) -> tuple[int, int]:
        """The dot of a point, from the top left."""
        x = point[0] / self._end
        y = (point[1] - self._y[0]) / (self._y[1] - self._y[0])
        return round(x * (self.width * self._across - 1)), round((1 - y) * (self.height * self._down - 1))

    def _cell_at(self, point: Point) -> tuple[int, int]:
        x, y = self._dot_at(point)
        return x // self._across, y // self._down


def _axis(canvas: _Canvas, margin: int, panel: Panel) -> str:
    """The line below a plot, and the numbers below that."""
    name = panel.axis
    line, below = ["─"] * canvas.width, [" "] * (canvas.width + margin + 1)
    free = 0
    for tick in ticks(0.0, panel.end, max(2, canvas.width // 9)):
        label, column = _label(tick), canvas.column(tick)
        start = min(margin + 1 + column - len(label) // 2, len(below) - len(label))
        if start < free or start + len(label) > len(below) - len(name) - 2:
            continue
        line[column] = "┬"
        below[start : start + len(label)] = label
        free = start + len(label) + 1
    below[len(below) - len(name) :] = name
    return f"{' ' * margin}└{''.join(line)}\n{''.join(below).rstrip()}"


def _range(numbers: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis, which are never the same."""
    low, high = min(numbers), max(numbers)
    largest = max(abs(low), abs(high))
    if high - low > max(1e-9 * largest, _TINY):
        return low, high
    room = largest / 2 if largest > _TINY else 0.5
    return low - room, high + room


def _label(number: float) -> str:
    for unit, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(number) >= 10 * unit or (abs(number) >= unit and unit > 1e3):
            return f"{number / unit:.4g}{sign}"
    return f"{number:.4g}"
