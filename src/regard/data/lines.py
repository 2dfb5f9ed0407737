"""Text lines with their places, from plain or gzip files or from a stream; UTF-8 or a clear error."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from regard.errors import DataError

MAX_LINE_BYTES = 1_000_000


def read_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Each line of a file without its end, and its `file:line`."""
    with _open(path) as file:
        yield from decode_lines(file, str(path))


def decode_lines(file: IO[bytes], name: str) -> Iterator[tuple[str, str]]:
    """Each line of a stream without its end, and its `name:line`."""
    number = 0
    while True:
        number += 1
        try:
            raw = file.readline(MAX_LINE_BYTES + 1)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise DataError(f"{name}:{number}: damaged gzip file: {error}") from None
        if not raw:
            return
        if len(raw) > MAX_LINE_BYTES:
            raise DataError(f"{name}:{number}: the line is longer than {MAX_LINE_BYTES:,} bytes")
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            place = f"at byte {error.start + 1} of the line"
            raise DataError(f"{name}:{number}: not UTF-8 {place}; convert the text first") from None
        yield f"{name}:{number}", line.rstrip("\r\n")


def _open(path: Path) -> IO[bytes]:
    if path.is_dir():
        raise DataError(f"{path}: expected a file, found a folder")
    try:
        return cast(IO[bytes], gzip.open(path)) if path.suffix == ".gz" else path.open("rb")
    except FileNotFoundError:
        raise DataError(f"{path}: no such file") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None
