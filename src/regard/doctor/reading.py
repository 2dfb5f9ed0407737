"""The rows of an input as the doctor checks them, and as they stand in their files.

Lines that are no text are decoded where that is sure.
"""

import csv
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from regard.config.data import (
    STDIN,
    CsvCorpus,
    HubCorpus,
    JsonLinesCorpus,
    OneCorpus,
    ParallelCorpus,
    TextCorpus,
    TsvCorpus,
)
from regard.data.hub import hub_rows
from regard.data.jsonlines import MISSING, as_cell, json_rows, look_up
from regard.data.lines import copy_of_stdin, display_name, file_path
from regard.data.readers import choose_columns, open_rows, parallel_rows
from regard.data.rows import BadRow, Cell, Row, Rows
from regard.data.tables import csv_line, delimiter_of
from regard.doctor.examine import Lost, Record
from regard.doctor.inputs import Input, paths_of
from regard.doctor.raw import RawLines, begins_with_bom, decoded_line, guess_lines, is_utf8

Raw = tuple[str, ...]
"""A row as it stands in its file, without its line end; for parallel files, in both."""


class Format(Protocol):
    """How rows are written."""

    def cells(self, raw: Raw) -> tuple[Cell, ...] | None:
        """The cells of the wanted columns; None if the row does not have them."""
        ...

    def with_texts(self, raw: Raw, texts: Sequence[str]) -> Raw:
        """The same row with these texts in the first of the wanted columns."""
        ...


def format_of(corpus: OneCorpus, columns: Sequence[str], wanted: Sequence[str]) -> Format | None:
    """How the rows of a corpus are written; None for one that is not rewritten.

    columns: all that the file has
    wanted:  those that are checked, the texts first
    """
    places = [columns.index(column) for column in wanted] if isinstance(corpus, TsvCorpus | CsvCorpus) else []
    match corpus:
        case TsvCorpus():
            return _Tsv(len(columns), places)
        case CsvCorpus():
            return _Csv(len(columns), places, delimiter_of(corpus))
        case JsonLinesCorpus():
            return _Json(wanted)
        case TextCorpus() | ParallelCorpus():
            return _Plain()
        case _:
            return None


class _Plain:
    def cells(self, raw: Raw) -> tuple[Cell, ...]:
        return raw

    def with_texts(self, raw: Raw, texts: Sequence[str]) -> Raw:
        del raw
        return tuple(texts)


class _Tsv:
    def __init__(self, count: int, places: Sequence[int]) -> None:
        self._count, self._places = count, places

    def cells(self, raw: Raw) -> tuple[Cell, ...] | None:
        cells = raw[0].split("\t")
        return tuple(cells[place] for place in self._places) if len(cells) == self._count else None

    def with_texts(self, raw: Raw, texts: Sequence[str]) -> Raw:
        cells = raw[0].split("\t")
        for place, text in zip(self._places, texts, strict=False):
            cells[place] = text
        return ("\t".join(cells),)


class _Csv:
    def __init__(self, count: int, places: Sequence[int], delimiter: str) -> None:
        self._count, self._places, self._delimiter = count, places, delimiter

    def cells(self, raw: Raw) -> tuple[Cell, ...] | None:
        try:
            (cells,) = self._parsed(raw[0])
        except (csv.Error, ValueError):
            return None
        return tuple(cells[place] for place in self._places) if len(cells) == self._count else None

    def with_texts(self, raw: Raw, texts: Sequence[str]) -> Raw:
        (cells,) = self._parsed(raw[0])
        for place, text in zip(self._places, texts, strict=False):
            cells[place] = text
        return (csv_line(cells, self._delimiter),)

    def _parsed(self, raw: str) -> list[list[str]]:
        lines = raw.split("\n")
        return list(csv.reader([f"{line}\n" for line in lines[:-1]] + lines[-1:], delimiter=self._delimiter))


class _Json:
    def __init__(self, wanted: Sequence[str]) -> None:
        self._wanted = wanted

    def cells(self, raw: Raw) -> tuple[Cell, ...] | None:
        try:
            values = json.loads(raw[0])
        except (ValueError, RecursionError):
            return None
        found = [look_up(values, column) for column in self._wanted]
        cells = [None if value is MISSING else as_cell(value) for value in found]
        return None if None in cells else tuple(cell for cell in cells if cell is not None)

    def with_texts(self, raw: Raw, texts: Sequence[str]) -> Raw:
        values = json.loads(raw[0])
        for column, text in zip(self._wanted, texts, strict=False):
            _put(values, column, text)
        text = json.dumps(values, ensure_ascii=False)
        is_text = text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)
        return (text if is_text else json.dumps(values),)


def _put(values: dict[str, Any], column: str, text: str) -> None:
    """Replace the value under a name; a dot leads into an object, unless the name itself has one."""
    outer, dot, inner = column.partition(".")
    if column in values or not dot:
        values[column] = text
    else:
        _put(values[outer], inner, text)


class Reader:
    """The rows of one input. Iterating again reads again."""

    def __init__(self, one: Input, sides: Sequence[str], label: str | None) -> None:
        wanted = (*sides, label) if label else tuple(sides)
        self.input = one
        self.sides = tuple(sides)
        self._rows = _open(one, wanted)
        columns = all_columns(one).columns if one.corpus.kind in ("tsv", "csv") else wanted
        self.format: Format | None = format_of(one.corpus, columns, wanted)
        self.paths = real_paths(one)

    @property
    def name(self) -> str:
        """What the rows come from; for parallel files, the file of the source."""
        return self._rows.name

    def where(self, number: int, side: int = 0) -> str:
        """`file:line`; in parallel files, each side has its own file."""
        written = paths_of(self.input.corpus)
        name = display_name(written[side]) if side < len(written) else self.name
        return f"{name}:{number}"

    def __iter__(self) -> Iterator[Record | Lost]:
        raw: RawLines | None = None
        with ExitStack() as stack:
            for row in self._rows:
                if isinstance(row, Row):
                    yield self._record(row.number, row.cells)
                    continue
                if raw is None:
                    raw = stack.enter_context(RawLines(self.paths))
                yield self._rescued(row, raw)

    def _record(self, number: int, cells: tuple[Cell, ...], *, decoded: bool = False) -> Record:
        texts = tuple(map(_text, cells))
        label = texts[len(self.sides)] if len(texts) > len(self.sides) else None
        return Record(number, texts[: len(self.sides)], label, decoded)

    def _rescued(self, row: BadRow, lines: RawLines) -> Record | Lost:
        raws = lines.at(row.number) if self.paths else ()
        texts = [decoded_line(raw) for raw in raws]
        is_text = all(map(is_utf8, raws))
        if is_text or self.format is None or None in texts:
            check = "unreadable" if is_text else "not-utf8"
            return Lost(row.number, check, row.reason, row.raw)
        cells = self.format.cells(tuple(text for text in texts if text is not None))
        if cells is None:
            return Lost(row.number, "not-utf8", row.reason, row.raw)
        return self._record(row.number, cells, decoded=True)

    def begins_with_bom(self) -> bool:
        """Whether a file begins with a byte order mark."""
        return any(map(begins_with_bom, self.paths))

    def guess_rows(self) -> int | None:
        """About how many rows there are, for the time left; None where there is no way to know."""
        return guess_lines(self.paths[0]) if self.paths else None


def all_columns(one: Input) -> Rows:
    """The rows with everything that they have, as the format names it; for plain files, by language."""
    if isinstance(one.corpus, ParallelCorpus) and len(one.languages) == 2:
        return parallel_rows(one.corpus, (one.languages[0], one.languages[1]))
    return open_rows(one.corpus, split=one.role)


def samples_of(one: Input, rows: Rows, count: int) -> dict[str, list[str]]:
    """The first cells of each column, as texts; lines in another encoding count as the copy will have them.

    Of JSON and the hub, each column is asked for alone: what else a row has may be no text.
    """
    if isinstance(one.corpus, JsonLinesCorpus | HubCorpus):
        return {column: _cells(Reader(one, (column,), None), count)[0] for column in rows.columns}
    return dict(zip(rows.columns, _cells(Reader(one, rows.columns, None), count), strict=True))


def _cells(rows: Reader, count: int) -> list[list[str]]:
    """By column. The rows are read once: those of the built-in world are made anew each time."""
    read = [record.texts for record in islice(rows, count) if isinstance(record, Record)]
    return [[texts[place] for texts in read] for place in range(len(rows.sides))]


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else " ".join(cell)


def _open(one: Input, wanted: tuple[str, ...]) -> Rows:
    """The wanted columns; JSON and the hub are asked for no others."""
    match one.corpus:
        case JsonLinesCorpus():
            return json_rows(one.corpus, wanted)
        case HubCorpus():
            return hub_rows(one.corpus, one.role, wanted)
        case _:
            return choose_columns(all_columns(one), wanted)


def real_paths(one: Input) -> tuple[Path, ...]:
    """The files of an input; stdin is kept in one."""
    written = paths_of(one.corpus)
    return tuple(copy_of_stdin() if path == STDIN else file_path(path) for path in written)
