"""Text lines with their numbers, from plain or gzip files or from a stream; UTF-8, or the reason why not."""

import atexit
import functools
import gzip
import io
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple, Protocol, cast

from regard.config.data import STDIN
from regard.data.rows import BadRow
from regard.errors import DataError

MAX_LINE_BYTES = 1_000_000
RAW_SHOWN = 500
"""How much of a bad line is kept to look at."""
GZIP_MAGIC = b"\x1f\x8b"


class Lines(Protocol):
    """What lines are read from."""

    def readline(self, limit: int, /) -> bytes:
        """A line with its end, or so many bytes of it."""
        ...


class Line(NamedTuple):
    """A line without its end, counted from 1."""

    number: int
    text: str


def file_path(written: str) -> Path:
    """The file that a recipe names: `$NAME` and ~ are replaced."""
    expanded = os.path.expandvars(written)
    if "$" in expanded:
        name = expanded[expanded.index("$") :].split("/")[0]
        raise DataError(f"{written}: the environment variable {name} is not set")
    try:
        return Path(expanded).expanduser()
    except RuntimeError:
        raise DataError(f"{written}: there is no such user") from None


def display_name(written: str) -> str:
    """How a file is named in an error."""
    return "<stdin>" if written == STDIN else str(file_path(written))


def lines_of(written: str) -> Iterator[Line | BadRow]:
    """The lines of a file that a recipe names; `-` is stdin."""
    with open_file(copy_of_stdin() if written == STDIN else file_path(written)) as file:
        yield from scan_lines(file, display_name(written))


@functools.cache
def copy_of_stdin() -> Path:
    """Stdin as a file that is gone when the program ends: a corpus is read more than once."""
    if sys.stdin is None:
        raise DataError("<stdin>: is closed; give the text to stdin, or name a file")
    first = sys.stdin.buffer.read(len(GZIP_MAGIC))
    handle, name = tempfile.mkstemp(prefix="regard-stdin-", suffix=".gz" if first == GZIP_MAGIC else "")
    atexit.register(Path(name).unlink, missing_ok=True)
    with os.fdopen(handle, "wb") as copy:
        copy.write(first)
        shutil.copyfileobj(sys.stdin.buffer, copy)
    return Path(name)


def read_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Each line of a file with its `file:line`; one that is not text stops the reading."""
    with open_file(path) as file:
        yield from decode_lines(file, str(path))


def decode_lines(file: "Lines", name: str) -> Iterator[tuple[str, str]]:
    """Each line of a stream with its `name:line`; one that is not text stops the reading."""
    for line in scan_lines(file, name):
        if isinstance(line, BadRow):
            raise DataError(f"{name}:{line.number}: {line.reason}")
        yield f"{name}:{line.number}", line.text


def scan_lines(file: "Lines", name: str) -> Iterator[Line | BadRow]:
    """Each line of a stream, or why it is none. Only a newline ends a line; a \\r before it is dropped."""
    number = 0
    while True:
        number += 1
        try:
            raw = file.readline(MAX_LINE_BYTES + 1)
            if len(raw) > MAX_LINE_BYTES and not raw.endswith(b"\n"):
                _skip_line(file)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise DataError(f"{name}:{number}: damaged gzip file: {error}") from None
        except OSError as error:
            raise DataError(f"{name}:{number}: cannot be read: {error.strerror}") from None
        if not raw:
            return
        if len(raw) > MAX_LINE_BYTES:
            reason = f"the line is longer than {MAX_LINE_BYTES:,} bytes"
            yield BadRow(number, reason, shown(raw))
            continue
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            place = f"at byte {error.start + 1} of the line"
            yield BadRow(number, f"not UTF-8 {place}; {_advice(raw)}", shown(raw))
            continue
        yield Line(number, text.rstrip("\r\n"))


def _advice(raw: bytes) -> str:
    """What to do about a line that is not UTF-8."""
    if b"\x00" in raw:
        return "it looks like UTF-16; convert it first: iconv -f utf-16 -t utf-8"
    try:
        text = raw.decode("cp949")
    except UnicodeDecodeError:
        return "convert the text first"
    hangul = sum("가" <= char <= "힣" for char in text)
    if hangul * 2 >= sum(char > "\x7f" for char in text):
        return "it looks like Korean in cp949; convert it first: iconv -f cp949 -t utf-8"
    return "convert the text first"


def shown(raw: bytes) -> str:
    """The beginning of a bad line, for a person to look at."""
    return raw[:RAW_SHOWN].rstrip(b"\r\n").decode("utf-8", errors="backslashreplace")


def open_file(path: Path) -> IO[bytes]:
    """Open a plain or gzip file for reading."""
    if path.is_dir():
        raise DataError(f"{path}: expected a file, found a folder")
    try:
        if path.suffix.lower() == ".gz":
            return cast(IO[bytes], io.BufferedReader(cast(io.RawIOBase, gzip.open(path)), 1 << 18))
        return path.open("rb", buffering=1 << 18)
    except FileNotFoundError:
        raise DataError(f"{path}: no such file") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None


def _skip_line(file: "Lines") -> None:
    while (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
        pass
