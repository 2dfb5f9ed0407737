"""What a command reads: a text, a file or stdin, a line at a time. One rule for every command."""

import os
import select
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from regard.cli.options import argument, option
from regard.errors import ConfigError, DataError
from regard.progress import say

if TYPE_CHECKING:
    from regard.data.rows import Rows

STDIN = "-"
TEXT = "INPUT"
"""What a text on the command line is called in an error."""
AS_TEXT = "to read it as text, add a space at its end"
_SHOWN = 40
_FILES = (
    ".txt", ".text", ".md", ".tsv", ".csv", ".jsonl", ".json", ".ndjson", ".conll", ".conllu", ".gz", ".xlsx",
    ".html", ".pdf", ".docx", ".parquet", ".npy", ".yaml",
)  # fmt: skip
"""How names of files end; what has no such name and is no file is a text."""

Input = Annotated[
    str, argument("INPUT", "A text; or a file with one per line, also .gz; nothing or - is stdin.")
]
_TABLE = "Of a table (.csv, .tsv, .jsonl): the column to read"
Column = Annotated[str, option("COLUMN", f"{_TABLE}.")]
Columns = Annotated[list[str] | None, option("COLUMN", f"{_TABLE}; of pairs, say it twice.", "--column")]


@dataclass(frozen=True)
class BadLine:
    """A line that cannot be read, and why."""

    where: str
    reason: str

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


@dataclass(frozen=True)
class Source:
    """What a command was given to read."""

    given: str
    kind: Literal["stdin", "pipe", "file", "text", "corpus"]
    """A corpus has a reader of its own."""
    columns: tuple[str, ...] = ()

    @property
    def is_typed(self) -> bool:
        """Whether a person has typed it, or does so now: there is nothing to count."""
        return self.kind == "text" or (self.kind == "stdin" and sys.stdin.isatty())

    def answer(self, text: str) -> None:
        """Write a line to stdout, at once where whoever wrote the one that was read may wait for it."""
        sys.stdout.write(text + "\n")
        if self.kind in ("stdin", "pipe"):
            sys.stdout.flush()

    @property
    def text(self) -> str | None:
        """The one line that stands on the command line; None for anything else."""
        return self.given if self.kind == "text" and "\n" not in self.given else None

    @property
    def is_json(self) -> bool:
        """Whether the name of a file says that it has JSON lines, none of whose columns was named."""
        return self.kind == "file" and not self.columns and _table_kind(self.given) == "jsonl"

    def total(self) -> int | None:
        """How many lines there will be, where that is soon known."""
        path = Path(self.given)
        if self.kind != "file" or self.columns or path.suffix.lower() == ".gz":
            return None
        with path.open("rb") as opened:
            return sum(block.count(b"\n") for block in iter(lambda: opened.read(1 << 20), b""))

    def check_cells(self, most: int = 1, *, objects: Iterable[str] = ()) -> None:
        """Refuse a table of which no column was named.

        most:    cells of a .tsv line that are taken as they are, without a header
        objects: names of which a .jsonl object that is taken as it is has one at least
        """
        if self.kind != "file" or self.columns:
            return
        kind = _table_kind(self.given)
        if kind is None:
            return
        first = self._first_line()
        if kind == "tsv" and first.count("\t") < max(most, 1):
            return
        if kind == "jsonl" and (not first.startswith("{") or any(f'"{name}"' in first for name in objects)):
            return
        names = ", ".join(_table(self.given).columns)
        raise ConfigError(f"{self.given}: a table; say which column to read with --column, one of: {names}")

    def lines(self, awaited: str, *, quiet: bool) -> Iterator[tuple[str, str] | BadLine | None]:
        """Lines with their places, and those that cannot be read; None where a pipe has no more at hand.

        awaited: what to type where a person is read from, such as `one sentence a line`
        """
        if self.columns:
            yield from self._rows()
        elif self.kind == "text":
            texts = self.given.split("\n")
            yield from ((TEXT if len(texts) == 1 else f"{TEXT}:{n}", text) for n, text in enumerate(texts, 1))
        elif self.kind == "file":
            yield from self._lines_of_file()
        else:
            if self.is_typed:
                say(f"reading from the terminal, {awaited}; Ctrl-D ends", quiet=quiet)
            yield from self._lines_as_they_come()

    def _lines_of_file(self) -> Iterator[tuple[str, str] | BadLine]:
        from regard.data.lines import open_file, scan_lines

        with open_file(Path(self.given)) as file:
            for line in scan_lines(file, self.given):
                yield _placed(self.given, line)

    def _lines_as_they_come(self) -> Iterator[tuple[str, str] | BadLine | None]:
        from regard.data.lines import scan_lines

        is_stdin = self.kind == "stdin"
        descriptor = sys.stdin.fileno() if is_stdin else os.open(self.given, os.O_RDONLY)
        pipe, name = Pipe(descriptor), "<stdin>" if is_stdin else self.given
        for line in scan_lines(pipe, name):
            yield _placed(name, line)
            if not pipe.has_more():
                yield None

    def _rows(self) -> Iterator[tuple[str, str] | BadLine]:
        """The cells of the columns, one line for each row."""
        from regard.data.rows import BadRow

        table = _table(self.given, self.columns)
        for row in table:
            where = f"{table.name}:{row.number}"
            if isinstance(row, BadRow):
                yield BadLine(where, row.reason)
            else:
                cells = (cell if isinstance(cell, str) else " ".join(cell) for cell in row.cells)
                yield where, "\t".join(on_one_line(cell).replace("\t", " ") for cell in cells)

    def _first_line(self) -> str:
        for line in self._lines_of_file():
            if not isinstance(line, tuple) or line[1].strip():
                return line[1] if isinstance(line, tuple) else ""
        return ""


def open_input(given: str, columns: Iterable[str] = ()) -> Source:
    """What the argument INPUT stands for; a file that is not there is refused at once."""
    named = tuple(filter(None, columns))
    kind = _kind(given, is_table=bool(named))
    if named:
        if kind != "file":
            raise ConfigError(
                f"--column is for a table (.csv, .tsv, .jsonl; csv:- is stdin), found '{given[:_SHOWN]}'"
            )
        _table(given, named)
    return Source(given, kind, named)


def _kind(given: str, *, is_table: bool) -> Literal["stdin", "pipe", "file", "text"]:
    if given == STDIN:
        return "stdin"
    if is_table and given.partition(":")[0] in ("csv", "tsv", "jsonl"):
        return "file"  # with its format before it
    mode = _mode(given)
    if mode is None:
        if looks_like_file(given):
            raise DataError(f"{given}: no such file; {AS_TEXT}")
        return "text"
    if stat.S_ISDIR(mode):
        raise DataError(f"{given}: expected a file, found a folder")
    return "file" if stat.S_ISREG(mode) else "pipe"


def _mode(given: str) -> int | None:
    """The mode of a file; None where there is none, as for a text that is too long to be a name."""
    try:
        return Path(given).stat().st_mode if given.strip() else None
    except (OSError, ValueError):
        return None


def looks_like_file(given: str) -> bool:
    """Whether a text without a space is the name of a file that is not there; `and/or` is a word."""
    folder, slash, name = given.rpartition("/")
    if not name or any(map(str.isspace, given)):
        return False
    return given.lower().endswith(_FILES) or (bool(slash) and (given[0] in "/~." or is_folder(folder)))


def is_folder(given: str) -> bool:
    """Whether there is such a folder."""
    mode = _mode(given)
    return mode is not None and stat.S_ISDIR(mode)


def _table_kind(given: str) -> str | None:
    """The format of a table that the name of a file says."""
    from regard.config.data import ENDINGS

    kind = ENDINGS.get(Path(given.lower().removesuffix(".gz")).suffix)
    return kind if kind in ("csv", "tsv", "jsonl") else None


def _table(given: str, columns: tuple[str, ...] = ()) -> "Rows":
    """The rows of a table; with columns, of those alone."""
    from regard.config.data import JsonLinesCorpus
    from regard.config.load import corpus_from_short_form
    from regard.data.jsonlines import json_rows
    from regard.data.readers import choose_columns, open_rows
    from regard.data.rows import check_columns

    corpus = corpus_from_short_form(given)
    rows = open_rows(corpus)
    if not columns:
        return rows
    if isinstance(corpus, JsonLinesCorpus):  # a value that is no text makes a bad line
        check_columns(columns, rows.columns, rows.name)
        return json_rows(corpus, columns)
    return choose_columns(rows, columns)


def _placed(name: str, line: object) -> tuple[str, str] | BadLine:
    from regard.data.lines import Line

    if isinstance(line, Line):
        return f"{name}:{line.number}", line.text
    return BadLine(f"{name}:{line.number}", line.reason)  # type: ignore[attr-defined]


def on_one_line(text: str) -> str:
    """A vocabulary with bytes can spell the end of a line; a sentence stays one line all the same."""
    return text.replace("\n", " ").replace("\r", " ")


class Pipe:
    """A stream of bytes without an end in sight, such as stdin."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._held = b""
        self._ended = False

    def readline(self, limit: int) -> bytes:
        """A line with its end, or `limit` bytes of it; nothing at the end of the stream."""
        searched = 0
        while (end := self._held.find(b"\n", searched, limit)) < 0 and len(self._held) < limit:
            searched = len(self._held)
            more = os.read(self._descriptor, 1 << 18)
            if not more:
                self._ended = True
                break
            self._held += more
        size = end + 1 if end >= 0 else min(len(self._held), limit)
        line, self._held = self._held[:size], self._held[size:]
        return line

    def has_more(self) -> bool:
        """Whether there is something to read without waiting for it."""
        if self._ended or b"\n" in self._held:
            return True
        return bool(select.select([self._descriptor], [], [], 0)[0])
