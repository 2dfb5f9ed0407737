"""Word vectors in files, in the format of the word2vec tool, which every other tool opens.

A first line has the number of words and the width. Then each word, a space, and its vector: as numbers with
spaces between them and a line end (text: .vec, .txt), or as 32-bit floats (binary: .bin). Also with .gz.
"""

import gzip
import re
import unicodedata
import zlib
from collections.abc import Callable, Container, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np

from regard.data.lines import open_file, read_lines
from regard.errors import DataError
from regard.store.atomic import write_file
from regard.vectors.table import Matrix, WordVectors

TEXT, BINARY = (".vec", ".txt"), (".bin",)
_FLOAT = np.dtype("<f4")
_LONGEST_HEADER = 100
_WIDEST = 2**16

T = TypeVar("T")
_Entries = Iterator[tuple[str, Matrix]]


def is_binary(path: Path, *, compressed: bool = True) -> bool:
    """Whether a file is of the binary format, by the end of its name; a name of neither is refused."""
    name = path.name.lower().removesuffix(".gz") if compressed else path.name.lower()
    if name.endswith((*TEXT, *BINARY)):
        return name.endswith(BINARY)
    also = ", or these with .gz" if compressed else ""
    found = "; found a folder" if path.is_dir() else ""
    names = f"{' or '.join(TEXT)} (text), {BINARY[0]} (binary)"
    raise DataError(f"{path}: expected a file of word vectors: {names}{also}{found}")


def write_vectors(path: Path, vectors: WordVectors) -> bytes:
    """Write a file, whole or not at all, in the format that its name ends in; what was written."""
    put = _binary_row if is_binary(path, compressed=False) else _text_row
    rows = (put(word, row) for word, row in zip(vectors.words, vectors.matrix, strict=True))
    content = b"".join([f"{len(vectors)} {vectors.width}\n".encode(), *rows])
    write_file(path, content)
    return content


def _text_row(word: str, row: Matrix) -> bytes:
    # Nine digits are enough for every 32-bit float to come back as it was.
    return f"{word} {' '.join(f'{number:.9g}' for number in row.tolist())}\n".encode()


def _binary_row(word: str, row: Matrix) -> bytes:
    return word.encode() + b" " + row.astype(_FLOAT).tobytes() + b"\n"


def read_shape(path: Path) -> tuple[int, int]:
    """Words and width, as the first line says; the rest is not looked at."""
    is_binary(path)
    with open_file(path) as file:
        return _shape(_sure(path, lambda: file.readline(_LONGEST_HEADER)), path)


def read_vectors(path: Path, wanted: Container[str] | None = None) -> WordVectors:
    """Read a file: every word in NFC, and of two that are the same the first.

    wanted: keep these words only; the others of a text file take no memory
    """
    count, width = read_shape(path)
    entries = (_binary_entries if is_binary(path) else _text_entries)(path, width)
    found: dict[str, Matrix] = {}
    seen = 0
    for word, row in islice(entries, count):
        seen += 1
        if not np.isfinite(row).all():
            raise DataError(f"{path}: the vector of '{word}', word {seen:,}, has a number that is none")
        word = unicodedata.normalize("NFC", word)
        if (wanted is None or word in wanted) and word not in found:
            found[word] = row
    if seen < count:
        raise DataError(f"{path}: cut off: its first line says {count:,} words, found {seen:,}")
    if next(entries, None) is not None:
        raise DataError(f"{path}: its first line says {count:,} words, but there are more")
    matrix = np.stack(list(found.values())) if found else np.zeros((0, width), np.float32)
    return WordVectors(list(found), matrix, str(path))


def _shape(line: bytes, path: Path) -> tuple[int, int]:
    match = re.fullmatch(rb"([0-9]{1,12}) ([0-9]{1,12}) *\r?\n?", line)
    if match is None or int(match[1]) < 1 or not 1 <= int(match[2]) <= _WIDEST:
        shown = line.rstrip()[:40].decode("utf-8", errors="backslashreplace")
        raise DataError(
            f"{path}:1: not in word2vec's format: expected the number of words and the width, such as "
            f"'40000 256', found '{shown}'"
        )
    return int(match[1]), int(match[2])


def _text_entries(path: Path, width: int) -> _Entries:
    for where, line in islice(read_lines(path), 1, None):
        word, *numbers = line.rstrip(" ").rsplit(" ", width)  # some tools end a line with a space
        if len(numbers) != width:
            raise DataError(f"{where}: expected a word and {width} numbers, found {len(numbers)} numbers")
        try:
            with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused as such
                row = np.array(numbers, dtype=np.float64).astype(np.float32)
        except ValueError:
            raise DataError(f"{where}: expected {width} numbers after '{word}', found other text") from None
        yield word, row


def _binary_entries(path: Path, width: int) -> _Entries:
    with open_file(path) as file:
        _, data = _sure(path, lambda: (file.readline(), file.read()))
    place, size = 0, width * _FLOAT.itemsize
    while place < len(data):
        space = data.find(b" ", place)
        end = space + 1 + size
        if space < 0 or end > len(data):
            return  # cut off, as whoever counts the words will see
        try:
            yield data[place:space].decode(), np.frombuffer(data, _FLOAT, width, space + 1)
        except UnicodeDecodeError:
            raise DataError(
                f"{path}: a word at byte {place:,} after the first line is not UTF-8; "
                f"the file is damaged or not in word2vec's binary format"
            ) from None
        place = end + (data[end : end + 1] == b"\n")  # which the word2vec tool writes, and gensim does not


def _sure(path: Path, read: Callable[[], T]) -> T:
    try:
        return read()
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"{path}: damaged gzip file: {error}") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None
