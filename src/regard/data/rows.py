"""Rows as every format gives them: cells under column names, with their place; or why there is no row.

A row that cannot be used stops the reading; or it is counted and kept for a quarantine file.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from regard.errors import DataError

if TYPE_CHECKING:
    from regard.config.data import CorporaConfig

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


@dataclass
class BadRows:
    """The policy of a recipe, and the bad rows met so far."""

    limit: int | None
    """How many may be skipped in one corpus; None = the first stops the reading."""
    met: list[tuple[str, str, str]] = field(default_factory=list)
    """(`file:line`, reason, what stands there)"""

    @classmethod
    def of(cls, data: "CorporaConfig") -> "BadRows":
        """The policy that a recipe states."""
        return cls(data.bad_row_limit if data.on_bad_row == "skip" else None)

    def good(self, rows: Rows) -> Iterator[Row]:
        """The rows that can be used."""
        skipped = 0
        for row in rows:
            if isinstance(row, Row):
                yield row
                continue
            where = f"{rows.name}:{row.number}"
            if self.limit is None:
                raise DataError(f"{where}: {row.reason}")
            skipped += 1
            if skipped > self.limit:
                raise DataError(
                    f"{where}: {row.reason}; this is bad row {skipped:,}, "
                    f"more than data.bad_row_limit = {self.limit:,}"
                )
            self.met.append((where, row.reason, row.raw))

    def to_json_lines(self) -> str:
        """The bad rows as a quarantine file: where, reason, row."""
        records = ({"where": where, "reason": reason, "row": raw} for where, reason, raw in self.met)
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
