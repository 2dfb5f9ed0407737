"""Which words make two texts similar."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regard.errors import DataError
from regard.insight.display import visible
from regard.insight.maps import Unit
from regard.insight.similarity import SimilarityMap
from regard.insight.token_axis import TokenAxis


@dataclass(frozen=True, slots=True)
class WordParts:
    """A text, and what each of its tokens adds to its vector."""

    side: TokenAxis
    values: NDArray[np.float64]
    """(tokens, width)."""

    @property
    def length(self) -> float:
        """Of the whole vector."""
        return float(np.linalg.norm(self.values.sum(axis=0)))


@dataclass(frozen=True, eq=False)
class Similarity:
    """The cosine of two texts, and what each pair of words adds to it."""

    first: TokenAxis = field(repr=False)
    second: TokenAxis = field(repr=False)
    cosine: float
    parts: NDArray[np.float64] = field(repr=False)
    """(tokens of the first, tokens of the second); they sum to the cosine."""

    @classmethod
    def of(cls, first: WordParts, second: WordParts) -> "Similarity":
        """From what the tokens of two texts add."""
        lengths = first.length * second.length
        if not lengths:
            raise DataError("a vector of zeros has no direction, and no cosine")
        parts = first.values @ second.values.T / lengths
        return cls(first.side, second.side, float(parts.sum()), parts)

    @property
    def source(self) -> str:
        """Both texts."""
        return f"{self.first.text}\n{self.second.text}"

    def tokens(self) -> SimilarityMap:
        """Token by token."""
        return self.words("tokens")

    def words(self, unit: Unit = "words") -> SimilarityMap:
        """Word by word: sums over the pieces of both sides, so the whole is what it was."""
        merged = self.first.shares(unit).T.astype(np.float64) @ self.parts @ self.second.shares(unit)
        rows, columns = self.first.words(unit), self.second.words(unit)
        return SimilarityMap(rows, columns, merged.astype(np.float32), self.cosine)

    def in_words(self) -> str:
        """The cosine."""
        return f"cosine {self.cosine:.4f}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "first": self.first.text,
            "second": self.second.text,
            "cosine": self.cosine,
            "words": self.words().to_dict(),
        }

    def __str__(self) -> str:
        return f"{visible(self.first.text)}\n{visible(self.second.text)}\n{self.in_words()}"
