"""Text lines with their numbers, from plain or gzip files or from a stream; UTF-8, or the reason why not."""

import atexit
import functools
import gzip
import io
import os
import sys
import tempfile
import unicodedata
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple, Protocol, cast

from regard.config.data import STDIN
from regard.data.rows import RAW_SHOWN, BadRow
from regard.errors import DataError

MAX_LINE_BYTES = 1_000_000
ENDLESS_BYTES = 1 << 24
"""What has so many bytes without the end of a line is no text: it is not read on in search of one."""
GZIP_MAGIC = b"\x1f\x8b"
_ENDLESS = f"expected lines of text, found no end of a line in {ENDLESS_BYTES:,} bytes"


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
    with open_file(copy_of_stdin() if written == STDIN else _readable_again(file_path(written))) as file:
        yield from scan_lines(file, display_name(written))


def is_stream(written: str) -> bool:
    """Whether this is stdin, or a pipe such as the shell makes of <(command): it can be read once."""
    try:
        return written == STDIN or Path(written).is_fifo()
    except (OSError, ValueError):  # too long for a name
        return False


def _readable_again(path: Path) -> Path:
    return copy_of_pipe(path) if path.is_fifo() else path


@functools.cache
def copy_of_stdin() -> Path:
    """Stdin as a file that is gone when the program ends: a corpus is read more than once."""
    if sys.stdin is None:
        raise DataError("<stdin>: is closed; give the text to stdin, or name a file")
    return _copy_of(sys.stdin.buffer, "<stdin>")


@functools.cache
def copy_of_pipe(path: Path) -> Path:
    """The same of a pipe that has a name."""
    with path.open("rb") as pipe:
        return _copy_of(pipe, str(path))


def _copy_of(stream: IO[bytes], where: str) -> Path:
    first = stream.read(len(GZIP_MAGIC))
    handle, name = tempfile.mkstemp(prefix="regard-stdin-", suffix=".gz" if first == GZIP_MAGIC else "")
    atexit.register(Path(name).unlink, missing_ok=True)
    with os.fdopen(handle, "wb") as copy:
        copy.write(first)
        since = 0  # bytes since the last end of a line
        while block := stream.read(1 << 20):
            copy.write(block)
            end = block.rfind(b"\n")
            since = len(block) - 1 - end + (since if end < 0 else 0)
            if since > ENDLESS_BYTES and first != GZIP_MAGIC:
                raise DataError(f"{where}: {_ENDLESS}")
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
                _skip_line(file, f"{name}:{number}")
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
            yield BadRow(number, f"not UTF-8 {place}; {_advice(raw, is_first=number == 1)}", shown(raw))
            continue
        yield Line(number, text.rstrip("\r\n"))


def _advice(raw: bytes, *, is_first: bool) -> str:
    """What to do about a line that is not UTF-8."""
    if is_first and (kind := next((kind for magic, kind in _MAGIC.items() if raw.startswith(magic)), None)):
        return kind
    if (is_first or 0 in raw) and _is_utf16(raw):
        return "it looks like UTF-16; convert it first: iconv -f utf-16 -t utf-8"
    if not _CONTROLS.isdisjoint(raw):
        return "it does not look like text in any encoding; is it the right file?"
    try:
        text = raw.decode("cp949")
    except UnicodeDecodeError:
        return "convert the text first"
    hangul = sum("가" <= char <= "힣" for char in text)
    if hangul * 2 >= sum(char > "\x7f" for char in text):
        return "it looks like Korean in cp949; convert it first: iconv -f cp949 -t utf-8"
    return "convert the text first"


_MAGIC = {
    b"PK\x03\x04": "it is a ZIP archive, as .xlsx, .ods and .docx are; save the table as CSV (UTF-8) first",
    b"\xd0\xcf\x11\xe0": "it is an old Office file (.xls, .doc); save the table as CSV (UTF-8) first",
    b"\x1f\x8b": "it is a gzip file; its name must end in .gz",
    b"\x89PNG": "it is a picture (PNG), not text",
    b"\xff\xd8\xff": "it is a picture (JPEG), not text",
    b"%PDF": "it is a PDF, not text",
}
"""What files that are no text begin with."""
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\v\f\r\x1b")
_ZEROS = 20
"""In UTF-16, spaces and Latin letters have a zero byte each: one in so many bytes, at least."""


def _is_utf16(raw: bytes) -> bool:
    """Whether a line, which ends at a newline's byte, is UTF-16: zeros in it, and text when decoded."""
    if not raw.startswith((b"\xff\xfe", b"\xfe\xff")) and raw.count(0) * _ZEROS < len(raw):
        return False
    inner = raw.removesuffix(b"\n").removesuffix(b"\r")
    # The newline before may have left its zero at the beginning.
    parts = [part[: len(part) // 2 * 2] for part in (inner, inner[1:])]
    texts = [part.decode(name, "replace").strip("\ufeff\r\0") for name in _UTF16 for part in parts]
    return any(text and all(map(_is_plain, text)) for text in texts)


_UTF16 = ("utf-16-le", "utf-16-be")


def _is_plain(char: str) -> bool:
    return char == "\t" or (char != "\ufffd" and unicodedata.category(char)[0] != "C")


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


def _skip_line(file: "Lines", where: str) -> None:
    size = MAX_LINE_BYTES
    while (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
        size += len(rest)
        if size > ENDLESS_BYTES:
            raise DataError(f"{where}: {_ENDLESS}")
