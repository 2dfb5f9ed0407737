"""Words with their vectors, and files of them in the format of the word2vec tool, which others open, too.

A first line has the number of words and the width. Then each word, a space, and its vector: as numbers with
spaces between them and a line end (text: .vec, .txt), or as 32-bit floats (binary: .bin). Also with .gz.
"""

import difflib
import gzip
import re
import unicodedata
import zlib
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from regard.data.lines import open_file, read_lines
from regard.errors import DataError
from regard.store.atomic import write_file

Matrix = NDArray[np.float32]


_NOTHING = 1e-6
"""A sum of unit vectors no longer than rounding leaves it."""


class Neighbour(NamedTuple):
    """A word that is near, and the cosine that says how near."""

    word: str
    similarity: float


class WordVectors:
    """A table of words, each with its vector."""

    def __init__(self, words: Sequence[str], matrix: Matrix, name: str) -> None:
        """words and matrix: (n) and (n, d), row by row; name: of the table, for errors."""
        self.words = tuple(words)
        self.matrix = matrix
        self.name = name
        self.rows = {word: row for row, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def __repr__(self) -> str:
        return f"WordVectors({self.name}, {len(self):,} words, width {self.width})"

    @property
    def width(self) -> int:
        """Numbers in a vector."""
        return int(self.matrix.shape[1])

    def similar(
        self, plus: Sequence[str] = (), minus: Sequence[str] = (), *, n_best: int = 10
    ) -> list[Neighbour]:
        """The words nearest to the sum of some words minus others, by cosine; these themselves left out.

        Each word counts alike, whatever the length of its vector (3CosAdd of Levy and Goldberg 2014):
        with plus 왕 and 여자, and minus 남자, is 여왕 near?
        """
        if not plus and not minus:
            raise DataError("name a word at least")
        added, taken = ([self._row(word) for word in words] for words in (plus, minus))
        wanted = self._unit[added].sum(0) - self._unit[taken].sum(0)
        if not np.abs(wanted).max() > _NOTHING:
            raise DataError("these words take each other away: nothing is left to compare with")
        cosines = self._unit @ _unit_rows(wanted[None])[0]
        cosines[[*added, *taken]] = -np.inf
        best = np.argsort(-cosines, kind="stable")[: min(n_best, len(self) - len({*added, *taken}))]
        return [Neighbour(self.words[row], float(cosines[row])) for row in best]

    @cached_property
    def _unit(self) -> Matrix:
        return _unit_rows(self.matrix)

    def _row(self, word: str) -> int:
        row = self.rows.get(unicodedata.normalize("NFC", word))
        if row is None:
            raise DataError(f"{self.name}: has no word '{word}'; {self._nearest_spelling(word)}")
        return row

    def _nearest_spelling(self, word: str) -> str:
        """By letters, not syllables: 학꾜 is one letter away from 학교."""
        spelt = {unicodedata.normalize("NFD", known): known for known in self.words}
        near = difflib.get_close_matches(unicodedata.normalize("NFD", word), spelt, n=1)
        if near:
            return f"did you mean '{spelt[near[0]]}'?"
        return f"none of its {len(self):,} words is spelt like it"


def _unit_rows(matrix: Matrix) -> Matrix:
    """Rows of length 1; one of zeros stays as it is."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.divide(matrix, np.where(lengths > 0, lengths, 1), dtype=np.float32)


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
    """Words and width, as the first line says; the rest is not read."""
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
