"""Rows as every format gives them: cells under column names, with their place; or why there is no row.

A cell is a text, a label, or words, or it is said why not. A row that cannot be used stops the reading; or it
is counted and kept to look at, up to a limit.
"""

import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from regard.errors import DataError, did_you_mean

if TYPE_CHECKING:
    from regard.config.data import CorporaConfig

RAW_SHOWN = 500
"""How much of a bad line is kept to look at."""
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


CellKind = Literal["text", "label", "labels", "number", "words", "texts", "any"]
"""A text is a sentence; a label is short, and stands on one line; labels are a list of them, or one text with
something between them, or none; words come as a list or between blanks; texts are one or a list of them, or
none; any cell is taken as it is."""

# Tabs and newlines, which JSON and quoted cells can hold, are white space; a bare \r is a damaged line end.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f\ud800-\udfff]|\r(?!\n)")
_LONGEST_LABEL = 1000
_SHOWN = 30


def check_columns(
    wanted: Iterable[str], columns: tuple[str, ...], name: str, absent: Mapping[str, str] | None = None
) -> None:
    """Refuse a corpus that lacks a column; `absent` says what to do without one."""
    for column in wanted:
        if column not in columns:
            hint = did_you_mean(column, columns)
            raise DataError(f"{name}: no column is called '{column}'{without(column, absent)}; {hint}")


def without(column: str, absent: Mapping[str, str] | None) -> str:
    """What a message about a column that is not there says more."""
    return f"; {absent[column]}" if absent and column in absent else ""


def checked(row: Row | BadRow, kinds: tuple[CellKind, ...], columns: tuple[str, ...]) -> Row | BadRow:
    """The row, its words as tuples; or why it cannot be used."""
    if isinstance(row, BadRow):
        return row
    cells: list[Cell] = []
    for cell, kind, column in zip(row.cells, kinds, columns, strict=True):
        if kind == "words" and isinstance(cell, str):
            cell = tuple(cell.split())
        reason = _reason(cell, kind)
        if reason:
            return BadRow(row.number, f"the {column} side {reason}", _raw(row))
        cells.append(cell)
    tagged = [cell for cell, kind in zip(cells, kinds, strict=True) if kind == "words"]
    if len({len(cell) for cell in tagged}) > 1:
        counts = " and ".join(str(len(cell)) for cell in tagged)
        return BadRow(row.number, f"expected as many tags as words, found {counts}", _raw(row))
    return Row(row.number, tuple(cells))


def given_texts(cell: Cell) -> tuple[str, ...]:
    """The texts of a cell: one, or those of a list; an empty cell has none."""
    if isinstance(cell, str):
        return (cell,) if cell.strip() else ()
    return cell


def _reason(cell: Cell, kind: CellKind) -> str | None:
    if kind == "any":
        return None
    if kind == "words":
        if not cell:
            return "is empty"
        return next((reason for word in cell if (reason := _reason_of_text(word))), None)
    if kind == "texts":
        return next((reason for text in given_texts(cell) if (reason := _reason_of_text(text))), None)
    if kind == "labels":
        given = [cell] if isinstance(cell, str) and cell.strip() else () if isinstance(cell, str) else cell
        return next((reason for label in given if (reason := _reason_of_label(label))), None)
    if not isinstance(cell, str):
        return "is a list, expected one text"
    if kind == "number":
        return None if _is_finite(cell) else f"is '{cell[:_SHOWN]}', expected a number"
    return _reason_of_label(cell) if kind == "label" else _reason_of_text(cell)


def _reason_of_label(label: str) -> str | None:
    if len(label) > _LONGEST_LABEL:
        return f"has {len(label):,} characters, expected a label of at most {_LONGEST_LABEL:,}"
    if len(label.strip().splitlines()) > 1 or "\t" in label.strip():
        return f"has a tab or a line break in the label {label.strip()[:_SHOWN]!r}, expected one line"
    return _reason_of_text(label)


def _is_finite(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _reason_of_text(text: str) -> str | None:
    if found := _CONTROL.search(text):
        code = ord(found[0])
        what = "half a character" if code >= 0xD800 else "a control character"
        return f"has {what}, U+{code:04X}, at character {found.start() + 1}"
    if not text.strip():
        return "is empty"
    if not text.isascii() and all(_is_invisible(character) for character in text):
        return f"has only invisible characters, such as U+{ord(text.strip()[0]):04X}"
    return None


def _is_invisible(character: str) -> bool:
    """White space, and format characters such as zero-width and direction marks."""
    return character.isspace() or unicodedata.category(character) == "Cf"


def _raw(row: Row) -> str:
    return "\t".join(cell if isinstance(cell, str) else " ".join(cell) for cell in row.cells)[:RAW_SHOWN]
