"""A row as it stands in its file: take the cells out, put other texts in."""

import csv
import json
from collections.abc import Sequence
from typing import Any, Protocol

from regard.config.data import CsvCorpus, JsonLinesCorpus, OneCorpus, ParallelCorpus, TextCorpus, TsvCorpus
from regard.data.jsonlines import MISSING, as_cell, look_up
from regard.data.rows import Cell
from regard.data.tables import csv_line, delimiter_of

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
    wanted:  those that are looked at, the texts first
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
