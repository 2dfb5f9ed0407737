"""Files that a plugin reads."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from regard.config.data import PluginCorpus
from regard.data.lines import display_name, file_path
from regard.data.rows import RAW_SHOWN, BadRow, Cell, Row, Rows
from regard.errors import DataError, in_one_line, place_in

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
            file = inspect.getsourcefile(reader) or "?"
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
                yield Row(number, cells)  # type: ignore[arg-type]  # each was looked at

    return Rows(name, columns, read)


def reader_source(corpus: PluginCorpus) -> str:
    """The code of a reader: what it gives depends on it, too."""
    return inspect.getsource(_reader(corpus))


def _reader(corpus: PluginCorpus) -> PluginReader:
    if corpus.ending not in READERS:
        raise DataError(
            f"{corpus.path}: files that end in {corpus.ending} are read by a plugin, and none that is loaded "
            f"does; say --plugin FILE"
        )
    return READERS[corpus.ending]
