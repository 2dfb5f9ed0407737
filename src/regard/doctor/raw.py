"""The lines of a file as bytes: for what is not UTF-8, and for a copy that leaves alone what is in order."""

import gzip
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import IO, Protocol, TypeVar, cast

from regard.data.lines import MAX_LINE_BYTES, open_file
from regard.doctor.mojibake import decode_line
from regard.errors import DataError

BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_LOOKED_AT = 1 << 21
"""Bytes of a file by which the number of its lines is guessed."""


Lines = list[tuple[bytes, ...]]
"""Lines of a file, or of two files side by side, with their ends."""


class RawLines:
    """The lines of one file, or of two side by side, forwards only; without byte order marks."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._stack = ExitStack()
        self._files = [self._stack.enter_context(open_file(path)) for path in paths]
        self._number = 0
        self._last: tuple[bytes, ...] = ()

    def __enter__(self) -> "RawLines":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def at(self, number: int) -> tuple[bytes, ...]:
        """The line of this number in each file, with its end."""
        while self._number < number:
            self._next()
        return self._last

    def up_to(self, number: int | None) -> Lines:
        """The lines before this one that were not taken yet; None = all that are left."""
        lines = []
        while (number is None or self._number < number - 1) and any(self._next()):
            lines.append(self._last)
        return lines

    def _next(self) -> tuple[bytes, ...]:
        self._number += 1
        line = tuple(map(_read_line, self._files))
        self._last = tuple(raw.removeprefix(BOM) for raw in line) if self._number == 1 else line
        return self._last


class _Numbered(Protocol):
    @property
    def number(self) -> int: ...


R = TypeVar("R", bound=_Numbered)


def with_lines(rows: Iterable[R], paths: Sequence[Path]) -> Iterator[tuple[R | None, Lines]]:
    """Each row with its lines, up to the next row; first of all, None with what stands before the first."""
    with RawLines(paths) as lines:
        before: R | None = None
        for row in chain(rows, [None]):
            yield before, lines.up_to(None if row is None else row.number)
            before = row


def _read_line(file: IO[bytes]) -> bytes:
    """A line; one that is too long to be a row is cut, as the readers of rows do."""
    line = file.readline(MAX_LINE_BYTES + 1)
    if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
        while (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
            pass
    return line


def is_utf8(raw: bytes) -> bool:
    """Whether a line is text; one that was cut is not asked."""
    return len(raw) > MAX_LINE_BYTES or _utf8(raw) is not None


def decoded_line(raw: bytes) -> str | None:
    """A line as text without its end: each cell UTF-8, or something else where that is sure; else None."""
    line = raw.rstrip(b"\r\n")
    if len(line) > MAX_LINE_BYTES:
        return None
    cells = [_utf8(cell) or decode_line(cell) if cell else "" for cell in line.split(b"\t")]
    return None if None in cells else "\t".join(cell for cell in cells if cell is not None)


def _utf8(raw: bytes) -> str | None:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return None


def begins_with_bom(path: Path) -> bool:
    """Whether a file begins with the byte order mark of UTF-8."""
    return _first_bytes(path) == BOM


def refuse_utf16(path: Path) -> None:
    """A file of UTF-16, as Windows calls Unicode, would be one long list of lines that are not UTF-8."""
    if _first_bytes(path).startswith(_UTF16):
        raise DataError(f"{path}: expected UTF-8, found UTF-16; convert it first: iconv -f utf-16 -t utf-8")


def _first_bytes(path: Path) -> bytes:
    with open_file(path) as file:
        try:
            return file.read(len(BOM))
        except (OSError, EOFError, zlib.error) as error:
            raise DataError(f"{path}: cannot be read: {error}") from None


def guess_lines(path: Path) -> int | None:
    """About how many lines a file has, by its first part; None if it cannot be told."""
    with path.open("rb") as file:
        stream = cast(IO[bytes], gzip.GzipFile(fileobj=file)) if path.suffix == ".gz" else file
        try:
            lines = stream.read(_LOOKED_AT).count(b"\n")
        except (OSError, EOFError, zlib.error):
            return None
        return max(1, int(lines * path.stat().st_size / max(1, file.tell())))
