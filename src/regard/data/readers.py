"""Corpora as rows: the reader of each format, the columns a task wants, the conditions of the recipe."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from pathlib import Path
from typing import NoReturn

from regard.config.data import (
    STDIN,
    BuiltinCorpus,
    ColumnsCorpus,
    ConlluCorpus,
    CsvCorpus,
    HubCorpus,
    JsonLinesCorpus,
    MixCorpus,
    NoCorpus,
    OneCorpus,
    ParallelCorpus,
    PluginCorpus,
    TextCorpus,
    TsvCorpus,
)
from regard.config.filter import Condition, parse_condition
from regard.data.alignments import LINKS
from regard.data.builtin import world_rows
from regard.data.columns import column_rows, conllu_rows
from regard.data.hub import hub_rows
from regard.data.jsonlines import json_rows
from regard.data.lines import Line, display_name, file_path, lines_of
from regard.data.rows import RAW_SHOWN, BadRow, Cell, CellKind, Row, Rows, check_columns, checked
from regard.data.tables import csv_rows, tsv_rows
from regard.errors import DataError, in_one_line, place_in

NO_DATA = (
    "the recipe names no data here (kind: none), as those of models trained elsewhere; name a corpus: "
    "train takes --data FOLDER, or --set data.train=FILE and --set data.dev=FILE"
)
_WORD = 2**64 - 1


def open_rows(
    corpus: OneCorpus,
    wanted: Mapping[str, CellKind] | None = None,
    *,
    split: str = "train",
    absent: Mapping[str, str] | None = None,
) -> Rows:
    """The rows of a corpus with the wanted columns, checked; without `wanted`, all that there is, as it is.

    split:  what the corpus is named for in the recipe
    absent: what to do without a column, by its name, if it is not there
    """
    conditions = tuple(map(parse_condition, getattr(corpus, "filter", ())))
    called: Mapping[str, str] = getattr(corpus, "names", {})
    theirs = None if wanted is None else {called.get(name, name): kind for name, kind in wanted.items()}
    missing = None if absent is None else {called.get(name, name): told for name, told in absent.items()}
    rows = _rows(corpus, theirs, conditions, split, missing)
    check_columns([*(test.column for test in conditions), *(theirs or ())], rows.columns, rows.name, missing)
    part: tuple[float, float] | None = getattr(corpus, "part", None)
    if wanted is None or theirs is None:
        return Rows(rows.name, rows.columns, lambda: _filtered(rows, conditions, part))
    _check_names(wanted, called, rows.name)
    columns, kinds = tuple(called.get(name, name) for name in wanted), tuple(wanted.values())
    places = tuple(map(rows.columns.index, columns))

    def read() -> Iterator[Row | BadRow]:
        for row in _filtered(rows, conditions, part):
            yield checked(_chosen(row, places), kinds, columns)

    return Rows(rows.name, tuple(wanted), read)


def _check_names(wanted: Mapping[str, CellKind], called: Mapping[str, str], where: str) -> None:
    """Two names for one column are meant, as of a text and its partner, only if both are given."""
    seen: dict[str, str] = {}
    for name in wanted:
        column = called.get(name, name)
        other = seen.setdefault(column, name)
        if other != name and not {name, other} <= called.keys():
            raise DataError(
                f"{where}: names: expected a column for each name, found one twice: {dict(called)}; if both "
                f"are meant, give both: {other}: {column}, {name}: {column}"
            )
        if wanted[other] != wanted[name]:
            raise DataError(
                f"{where}: names: '{column}' cannot be both {other} ({wanted[other]}) and {name} "
                f"({wanted[name]})"
            )


def choose_columns(rows: Rows, columns: Sequence[str]) -> Rows:
    """The rows with these columns only."""
    check_columns(columns, rows.columns, rows.name)
    places = tuple(map(rows.columns.index, columns))
    return Rows(rows.name, tuple(columns), lambda: (_chosen(row, places) for row in rows))


def parts_of(corpus: OneCorpus | MixCorpus | NoCorpus) -> tuple[OneCorpus, ...]:
    """The corpora that a corpus is put together from."""
    if isinstance(corpus, NoCorpus):
        raise DataError(NO_DATA)
    return tuple(part.corpus for part in corpus.parts) if isinstance(corpus, MixCorpus) else (corpus,)


def _rows(
    corpus: OneCorpus,
    wanted: Mapping[str, CellKind] | None,
    conditions: tuple[Condition, ...],
    split: str,
    absent: Mapping[str, str] | None,
) -> Rows:
    names = None if wanted is None else tuple(dict.fromkeys([*wanted, *(test.column for test in conditions)]))
    match corpus:
        case BuiltinCorpus():
            return world_rows(corpus, corpus.split or split)
        case TsvCorpus():
            return tsv_rows(corpus)
        case CsvCorpus():
            return csv_rows(corpus)
        case JsonLinesCorpus():
            return json_rows(corpus, names, strict=wanted is not None, absent=absent)
        case ConlluCorpus():
            return conllu_rows(corpus)
        case ColumnsCorpus():
            return column_rows(corpus)
        case TextCorpus():
            return text_rows(corpus)
        case PluginCorpus():
            return plugin_rows(corpus)
        case ParallelCorpus():
            linked = corpus.links_path is not None
            texts = None if names is None else [name for name in names if not (linked and name == LINKS)]
            if texts is not None and len(texts) != 2:
                raise DataError(
                    f"{corpus.source_path}: parallel files have two columns, asked for {len(texts)}"
                )
            return parallel_rows(corpus, (texts[0], texts[1]) if texts else ("source", "target"))
        case HubCorpus():
            return hub_rows(corpus, split, names, absent)


def _chosen(row: Row | BadRow, places: tuple[int, ...]) -> Row | BadRow:
    return row if isinstance(row, BadRow) else Row(row.number, tuple(row.cells[place] for place in places))


def _filtered(
    rows: Rows, conditions: tuple[Condition, ...], part: tuple[float, float] | None
) -> Iterator[Row | BadRow]:
    """The rows of a part that meet every condition, and those that could not be read."""
    tests = tuple((rows.columns.index(test.column), test) for test in conditions)
    chosen = iter(rows) if part is None else (row for row in rows if part[0] <= _drawn(row.number) < part[1])
    if not tests:
        return chosen
    return (row for row in chosen if isinstance(row, BadRow) or all(_holds(row, *test) for test in tests))


def _drawn(place: int) -> float:
    """A number from 0 to 1, without 1, for a place in a file; pseudo-random, and always the same."""
    bits = place * 0x9E3779B97F4A7C15  # the finalizer of SplitMix64 (Steele et al. 2014)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        bits = ((bits ^ (bits & _WORD) >> shift) * factor) & _WORD
    return (bits >> 11) / 2**53


def _holds(row: Row, place: int, test: Condition) -> bool:
    cell = row.cells[place]
    if isinstance(cell, str):
        return test.holds(cell)
    # Of a list, one entry that is equal is enough; to differ, all must.
    return (all if test.sign in ("!=", "not in") else any)(map(test.holds, cell))


PLAIN_COLUMN = "text"
"""The one column of plain text."""


def text_rows(corpus: TextCorpus) -> Rows:
    """A sentence a line; empty lines are passed over."""

    def read() -> Iterator[Row | BadRow]:
        for line in lines_of(corpus.path):
            if isinstance(line, BadRow):
                yield line
            elif line.text.strip():
                yield Row(line.number, (line.text,))

    return Rows(display_name(corpus.path), (PLAIN_COLUMN,), read)


def parallel_rows(corpus: ParallelCorpus, columns: tuple[str, str]) -> Rows:
    """Line i of the source beside line i of the target, and of the links; one that is longer is an error."""
    names = [display_name(path) for path in corpus.paths]
    if corpus.paths.count(STDIN) > 1:
        raise DataError("source_path and target_path cannot both be stdin")

    def read() -> Iterator[Row | BadRow]:
        for lines in zip_longest(*map(lines_of, corpus.paths)):
            if None in lines:
                _refuse_length(names, lines)
            yield _beside(names, lines)

    return Rows(names[0], columns if len(names) == 2 else (*columns, LINKS), read)


_FILES = ("source", "target", "alignment")


def _refuse_length(names: Sequence[str], lines: Sequence[Line | BadRow | None]) -> NoReturn:
    ended = lines.index(None)
    more, line = next((place, line) for place, line in enumerate(lines) if line is not None)
    raise DataError(
        f"{names[more]}:{line.number}: the {_FILES[more]} has more lines, but {names[ended]} has ended; "
        f"{'both' if len(names) == 2 else 'all three'} need as many lines"
    )


def _beside(names: Sequence[str], lines: Sequence[Line | BadRow]) -> Row | BadRow:
    for place, line in enumerate(lines):
        if isinstance(line, BadRow):
            return BadRow(line.number, f"{names[place]}: {line.reason}" if place else line.reason, line.raw)
    return Row(lines[0].number, tuple(line.text for line in lines if isinstance(line, Line)))


PluginReader = Callable[[Path], Iterable[Mapping[str, Cell]]]
"""Gives the rows of a file, each a cell by the name of its column; all have the columns of the first."""
READERS: dict[str, PluginReader] = {}
"""By the end of a file's name."""


def plugin_rows(corpus: PluginCorpus) -> Rows:
    """What the plugin gives, row by row; a row with other columns or cells is a bad one."""
    name, reader = display_name(corpus.path), _reader(corpus)

    def records() -> Iterator[Mapping[str, Cell]]:
        try:
            yield from reader(file_path(corpus.path))
        except DataError:
            raise
        except OSError as error:
            raise DataError(f"{name}: cannot be read: {error.strerror or error}") from None
        except Exception as error:  # whatever a user's own code does
            file = inspect.getfile(reader) if inspect.isfunction(reader) else reader.__module__
            place = place_in(error, {file}) or file
            raise DataError(f"{name}: its reader fails at {place}: {in_one_line(error)}") from None

    first = next(records(), None)
    if first is None:
        raise DataError(f"{name}: expected rows, and its reader found none")
    columns = tuple(first)

    def read() -> Iterator[Row | BadRow]:
        for number, record in enumerate(records(), start=1):
            cells = tuple(record.get(column) for column in columns)
            if record.keys() != first.keys() or not all(isinstance(cell, str | tuple) for cell in cells):
                reason = f"expected a text under each of {', '.join(columns)}"
                yield BadRow(number, reason, repr(dict(islice(record.items(), 20)))[:RAW_SHOWN])
            else:
                yield Row(number, cells)  # type: ignore[arg-type]  # each was checked

    return Rows(name, columns, read)


def reader_source(corpus: PluginCorpus) -> str:
    """The code of a reader: what it gives depends on it, too."""
    reader = _reader(corpus)
    try:
        return inspect.getsource(reader if inspect.isroutine(reader) else type(reader))
    except (OSError, TypeError):
        raise DataError(
            f"{corpus.path}: the reader of {corpus.ending} has no source; put it into a file, so that the "
            f"cache of encoded rows knows when it changes"
        ) from None


def _reader(corpus: PluginCorpus) -> PluginReader:
    if corpus.ending not in READERS:
        raise DataError(
            f"{corpus.path}: files that end in {corpus.ending} are read by a plugin, and none that is loaded "
            f"does; say --plugin FILE"
        )
    return READERS[corpus.ending]
