"""Rows to files: tables, JSON lines, plain text, columns, also gzip. A file appears whole or not at all."""

import gzip
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, TextIO

from regard.config.data import ENDINGS
from regard.data.rows import Cell, Row
from regard.data.tables import csv_line
from regard.errors import DataError

EACH_COLUMN = "{column}"
"""In the name of a file, it makes one plain file for each column: train.{column} is train.ko and train.en."""


def write_rows(rows: Iterable[Row], columns: Sequence[str], out: str) -> int:
    """Write rows in the format that the name of the file ends in; how many there were."""
    if EACH_COLUMN in out:
        return _write_parallel(rows, columns, out)
    kind = next((k for end, k in ENDINGS.items() if out.endswith((end, f"{end}.gz"))), None)
    if kind not in _WRITERS:
        endings = [ending for ending, kind in ENDINGS.items() if kind in _WRITERS]
        raise DataError(
            f"{out}: expected a name that ends in {', '.join(endings)} (or with .gz), "
            f"or one with {EACH_COLUMN} in it for a plain file a column"
        )
    count = 0
    with _appearing(Path(out)) as file:
        put = _WRITERS[kind](file, columns)
        for row in rows:
            put(row)
            count += 1
    return count


_Put = Callable[[Row], None]


def _tsv(file: TextIO, columns: Sequence[str]) -> _Put:
    file.write("\t".join(columns) + "\n")

    def put(row: Row) -> None:
        cells = [_plain(cell) for cell in row.cells]
        for column, cell in zip(columns, cells, strict=True):
            _refuse(cell, "\t\r\n", row, column, "a .tsv; write .csv or .jsonl instead")
        file.write("\t".join(cells) + "\n")

    return put


def _csv(file: TextIO, columns: Sequence[str]) -> _Put:
    file.write(csv_line(columns) + "\n")

    def put(row: Row) -> None:
        file.write(csv_line([_plain(cell) for cell in row.cells]) + "\n")

    return put


def _jsonl(file: TextIO, columns: Sequence[str]) -> _Put:
    def put(row: Row) -> None:
        file.write(json.dumps(dict(zip(columns, row.cells, strict=True)), ensure_ascii=False) + "\n")

    return put


def _text(file: TextIO, columns: Sequence[str]) -> _Put:
    if len(columns) != 1:
        raise DataError(
            f"a .txt file has one column, these rows have {len(columns)}; choose one of {', '.join(columns)}"
        )

    def put(row: Row) -> None:
        cell = _plain(row.cells[0])
        _refuse(cell, "\r\n", row, columns[0], "a plain file; write .csv or .jsonl instead")
        file.write(cell + "\n")

    return put


def _columns(file: TextIO, columns: Sequence[str]) -> _Put:
    def put(row: Row) -> None:
        cells = [cell.split() if isinstance(cell, str) else cell for cell in row.cells]
        if len({len(cell) for cell in cells}) > 1:
            raise DataError(f"row {row.number}: a .conll file needs as many entries in each column")
        for entries in zip(*cells, strict=True):
            for column, entry in zip(columns, entries, strict=True):
                _refuse(entry, "\t\r\n", row, column, "a .conll file; write .jsonl instead")
            file.write("\t".join(entries) + "\n")
        file.write("\n")

    return put


_WRITERS: dict[str | None, Callable[[TextIO, Sequence[str]], _Put]] = {
    "tsv": _tsv,
    "csv": _csv,
    "jsonl": _jsonl,
    "text": _text,
    "columns": _columns,
}


def _write_parallel(rows: Iterable[Row], columns: Sequence[str], out: str) -> int:
    count = 0
    with ExitStack() as stack:
        paths = [Path(out.replace(EACH_COLUMN, column)) for column in columns]
        files = [stack.enter_context(_appearing(path)) for path in paths]
        puts = [_text(file, [column]) for file, column in zip(files, columns, strict=True)]
        for row in rows:
            for put, cell in zip(puts, row.cells, strict=True):
                put(Row(row.number, (cell,)))
            count += 1
    return count


def _plain(cell: Cell) -> str:
    return cell if isinstance(cell, str) else " ".join(cell)


def _refuse(cell: str, signs: str, row: Row, column: str, where: str) -> None:
    if any(sign in cell for sign in signs):
        raise DataError(f"row {row.number}: {column} has a tab or a line end, which cannot stand in {where}")


@contextmanager
def _appearing(path: Path) -> Iterator[TextIO]:
    """A text file that gets its name when everything is in it."""
    with appearing(path) as binary:
        text = io.TextIOWrapper(binary, encoding="utf-8", newline="\n")
        yield text
        text.flush()
        text.detach()


@contextmanager
def appearing(path: Path) -> Iterator[IO[bytes]]:
    """A file that gets its name when everything is in it."""
    passing = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _opened(passing, compressed=path.suffix == ".gz") as binary:
            yield binary
        passing.replace(path)
    except OSError as error:
        raise DataError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        with suppress(OSError):
            passing.unlink()


def _opened(path: Path, *, compressed: bool) -> IO[bytes]:
    # No time stamp in the gzip header: the same rows give the same bytes.
    return gzip.GzipFile(path, "wb", mtime=0) if compressed else path.open("wb")  # type: ignore[return-value]
