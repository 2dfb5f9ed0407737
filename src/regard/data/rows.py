"""Rows as every format gives them: cells under column names, with their place; or why there is no row."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

Cell = str | tuple[str, ...]
"""A text or a label; or, in tagged data, one entry a word."""


def cell_text(cell: Cell) -> str:
    """A cell as one text: a list has a line for each entry."""
    return cell if isinstance(cell, str) else "".join(f"{entry}\n" for entry in cell)


class Row(NamedTuple):
    """One row: its line (counted from 1), and its cells in the order of `Rows.columns`."""

    number: int
    cells: tuple[Cell, ...]


class BadRow(NamedTuple):
    """A row that cannot be used: its line, why, and what stands there, for a person to look at."""

    number: int
    reason: str
    raw: str


@dataclass(frozen=True)
class Rows:
    """The rows of one corpus. Iterating again reads again."""

    name: str
    """`name:number` is the place of a row: a file, or what else the rows come from."""
    columns: tuple[str, ...]
    read: Callable[[], Iterator[Row | BadRow]]

    def __iter__(self) -> Iterator[Row | BadRow]:
        return self.read()
