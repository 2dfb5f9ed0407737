"""Scores of a corpus that are functions of a sum over its sentences.

BLEU, an error rate, accuracy and a plain mean all have this form: each sentence gives a few numbers, they are
added up, and one function turns the sums into the score. What is known sentence by sentence can be scored for
any choice of sentences: a group of them, one alone, or a random sample.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Statistics:
    """One metric of one system, sentence by sentence."""

    counts: Floats
    """What each sentence gives: (sentences, statistics)."""
    score: Callable[[list[float]], float]
    """The score for a sum of them; NaN where there is nothing to divide by."""
    sentence_score: Callable[[list[float]], float] | None = None
    """The score of a sentence alone, where that is another function."""
    signature: str = ""
    """How exactly it is computed, in the words of its reference implementation."""

    def __len__(self) -> int:
        return len(self.counts)

    def value(self, rows: Rows | None = None) -> float:
        """The score of the corpus, or of some of its sentences."""
        chosen = self.counts if rows is None else self.counts[rows]
        return self.score(chosen.sum(axis=0).tolist())

    def sums(self, times: Floats) -> Floats:
        """What test sets give in which each sentence is so often, (samples, n) -> (samples, statistics)."""
        return times @ self.counts

    def values(self, sums: Floats) -> Floats:
        """The score for each row of sums."""
        return np.array([self.score(row) for row in sums.tolist()], dtype=np.float64)

    def each(self) -> Floats:
        """The score of each sentence alone."""
        score = self.sentence_score or self.score
        return np.array([score(row) for row in self.counts.tolist()], dtype=np.float64)


def mean_of(scores: npt.ArrayLike) -> Statistics:
    """The mean of scores of the sentences, such as 1 where a label is right and 0 elsewhere."""
    values = np.asarray(scores, dtype=np.float64)
    return Statistics(np.column_stack([values, np.ones_like(values)]), ratio)


def ratio(sums: Sequence[float]) -> float:
    """The first sum over the second."""
    return sums[0] / sums[1] if sums[1] else math.nan
