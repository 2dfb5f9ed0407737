"""Tables: tab separated without quoting, or quoted as spreadsheets write them."""

import csv
import functools
import io
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice

from regard.config.data import CsvCorpus, TsvCorpus
from regard.data.lines import MAX_LINE_BYTES, Line, display_name, lines_of
from regard.data.rows import RAW_SHOWN, BadRow, Row, Rows
from regard.errors import DataError
from regard.progress import say

_RECORD_LINES = 1000
_DELIMITERS = (",", ";", "\t", "|")
_JUDGED_BY = 20
"""Rows after the header from which the delimiter is guessed."""


def tsv_rows(corpus: TsvCorpus) -> Rows:
    """A table whose first row names its columns, unless the corpus does."""
    name = display_name(corpus.path)
    columns = corpus.columns or _header(name, (_split_tabs(line) for line in lines_of(corpus.path)))

    def read() -> Iterator[Row | BadRow]:
        lines = lines_of(corpus.path)
        if corpus.columns is None:
            next(lines)
        return (_row(_split_tabs(line), columns) for line in lines)

    return Rows(name, columns, read)


def csv_rows(corpus: CsvCorpus) -> Rows:
    """A table as RFC 4180 has it: a cell in quotes may hold the delimiter, newlines, and quotes doubled."""
    name, delimiter = display_name(corpus.path), delimiter_of(corpus)
    columns = corpus.columns or _header(name, _records(lines_of(corpus.path), delimiter))

    def read() -> Iterator[Row | BadRow]:
        records = _records(lines_of(corpus.path), delimiter)
        if corpus.columns is None:
            next(records)
        return (_row(record, columns) for record in records)

    return Rows(name, columns, read)


def delimiter_of(corpus: CsvCorpus) -> str:
    """What stands between two cells: as the corpus says, or else as its first rows have it."""
    if corpus.delimiter is not None:
        return corpus.delimiter
    guess = max(_DELIMITERS, key=lambda delimiter: _share_that_fits(corpus, delimiter))  # the first of equals
    if guess != ",":
        _tell(display_name(corpus.path), guess)
    return guess


def csv_line(cells: Sequence[str], delimiter: str = ",") -> str:
    """A row without its line end. A cell with any line end in it is quoted, whatever the file's own is."""
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter, lineterminator="\r\n").writerow(cells)
    return written.getvalue().removesuffix("\r\n")


_Record = tuple[int, list[str]]


def _share_that_fits(corpus: CsvCorpus, delimiter: str) -> float:
    """The share of the first rows that have as many cells as there are columns; 0 if it parts nothing."""
    found = list(islice(_records(lines_of(corpus.path), delimiter), 1 + _JUDGED_BY))
    cells = [0 if isinstance(record, BadRow) else len(record[1]) for record in found]
    columns = len(corpus.columns) if corpus.columns else next(iter(cells), 0)
    return cells.count(columns) / len(cells) if columns > 1 and cells else 0.0


@functools.cache  # a corpus is opened more than once
def _tell(name: str, delimiter: str) -> None:
    shown = "a tab" if delimiter == "\t" else f"'{delimiter}'"
    say(f"{name}: its cells are separated by {shown}, not by a comma; it is read so")


def _split_tabs(line: Line | BadRow) -> _Record | BadRow:
    return line if isinstance(line, BadRow) else (line.number, line.text.split("\t"))


def _header(name: str, records: Iterator[_Record | BadRow]) -> tuple[str, ...]:
    found = next(records, None)
    if found is None:
        raise DataError(f"{name}: expected a header row with the names of the columns, found an empty file")
    if isinstance(found, BadRow):
        raise DataError(f"{name}:{found.number}: {found.reason}")
    columns = found[1]
    twice = next((column for column in columns if columns.count(column) > 1), None)
    if twice is not None:
        raise DataError(f"{name}:{found[0]}: the header names the column '{twice}' twice")
    return tuple(columns)


def _row(record: _Record | BadRow, columns: tuple[str, ...]) -> Row | BadRow:
    if isinstance(record, BadRow):
        return record
    number, cells = record
    if len(cells) != len(columns):
        reason = f"expected {len(columns)} columns as in the header, found {len(cells)}"
        return BadRow(number, reason, "\t".join(cells)[:RAW_SHOWN])
    return Row(number, tuple(cells))


def _records(lines: Iterator[Line | BadRow], delimiter: str) -> Iterator[_Record | BadRow]:
    """Put the lines of a quoted cell together again; a quote that is never closed costs its own line only."""
    csv.field_size_limit(MAX_LINE_BYTES)
    ahead: deque[Line | BadRow] = deque()  # read while a quote was open, and given back
    while True:
        line = ahead.popleft() if ahead else next(lines, None)
        if line is None:
            return
        if isinstance(line, BadRow):
            yield line
            continue
        record = _parsed(line.number, [line.text], delimiter)
        if not isinstance(record, BadRow) or line.text.count('"') % 2 == 0:
            yield record
            continue
        texts = [line.text]
        for place in range(_RECORD_LINES):
            if place == len(ahead):
                ahead.extend(islice(lines, 1))
            if place == len(ahead):
                break
            more = ahead[place]
            if isinstance(more, BadRow):
                break
            texts.append(more.text)
            if more.text.count('"') % 2 == 1:
                whole = _parsed(line.number, texts, delimiter)
                if not isinstance(whole, BadRow):
                    record = whole
                    for _ in texts[1:]:
                        ahead.popleft()
                break
        if isinstance(record, BadRow):
            record = BadRow(line.number, "a quote is opened and never closed", line.text[:RAW_SHOWN])
        yield record


def _parsed(number: int, texts: list[str], delimiter: str) -> _Record | BadRow:
    *firsts, last = texts
    try:
        (cells,) = csv.reader([*(f"{text}\n" for text in firsts), last], delimiter=delimiter, strict=True)
    except (csv.Error, ValueError) as error:
        detail = f": {error}" if isinstance(error, csv.Error) else ""
        return BadRow(number, f"not a CSV row{detail}", "\n".join(texts)[:RAW_SHOWN])
    return number, cells
