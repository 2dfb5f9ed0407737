"""Texts as sparse vectors of their n-grams, weighted by how much an n-gram tells (TF-IDF).

The weight of an n-gram in a text is (1 + ln tf) · (1 + ln((1 + n) / (1 + df))), for one that is tf times in
the text and in df of n texts; the vector has the length 1. This is scikit-learn's TfidfVectorizer with
`sublinear_tf`, in few lines, so that a stored model needs no scikit-learn to read a text.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from regard.errors import DataError
from regard.text.normalise import normalise
from regard.text.words import split_words

Unit = Literal["words", "characters"]
"""n-grams of words; or of characters inside a word, where a space stands for each of its ends."""


@dataclass(frozen=True)
class Tfidf:
    """The n-grams of some texts, and what each tells."""

    unit: Unit
    shortest: int
    longest: int
    terms: dict[str, int]
    """The column of each n-gram."""
    weights: npt.NDArray[np.float64]
    """(terms,), 1 + ln((1 + n) / (1 + df))."""

    @classmethod
    def fit(
        cls, texts: Iterable[str], unit: Unit, *, shortest: int = 1, longest: int = 2, least: int = 2
    ) -> "Tfidf":
        """Learn the n-grams that are in at least so many texts."""
        number, counts = 0, Counter[str]()
        for text in texts:
            number += 1
            counts.update(set(ngrams(text, unit, shortest, longest)))
        kept = sorted(term for term, count in counts.items() if count >= least)
        if not kept:
            raise DataError(
                f"expected texts that share {unit}, found no n-gram in {least} of {number:,} texts or more"
            )
        frequency = np.array([counts[term] for term in kept], dtype=np.float64)
        weights = np.log((1 + number) / (1 + frequency)) + 1
        return cls(unit, shortest, longest, {term: column for column, term in enumerate(kept)}, weights)

    def __call__(self, texts: Sequence[str]) -> Any:
        """Texts to the rows of a sparse matrix, (n, terms); a text without a known n-gram is all 0."""
        columns: list[int] = []
        times: list[int] = []
        ends = [0]
        for text in texts:
            found = Counter(ngrams(text, self.unit, self.shortest, self.longest))
            known = sorted((self.terms[term], count) for term, count in found.items() if term in self.terms)
            columns.extend(column for column, _ in known)
            times.extend(count for _, count in known)
            ends.append(len(columns))
        values = (1 + np.log(np.array(times, dtype=np.float64))) * self.weights[columns]
        rows = np.repeat(np.arange(len(texts)), np.diff(ends))
        lengths = np.sqrt(np.bincount(rows, values**2, minlength=len(texts)))
        return sparse.csr_matrix((values / lengths[rows], columns, ends), shape=(len(texts), len(self.terms)))


def ngrams(text: str, unit: Unit, shortest: int, longest: int) -> Iterator[str]:
    """The n-grams of a text, in lower case, as often as they are there."""
    words = split_words(normalise(text).text.lower())
    if unit == "words":
        for length in range(shortest, longest + 1):
            yield from (" ".join(words[i : i + length]) for i in range(len(words) - length + 1))
        return
    for word in words:
        marked = f" {word} "
        for length in range(shortest, longest + 1):
            yield from (marked[i : i + length] for i in range(max(len(marked) - length, 0) + 1))
            if length >= len(marked):
                break  # the whole word, once
