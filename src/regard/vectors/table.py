"""Words with their vectors: which words are near to which."""

import difflib
import unicodedata
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from regard.errors import DataError

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
