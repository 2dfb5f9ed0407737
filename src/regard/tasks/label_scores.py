"""Scores of labels by their numbers, in a form that can be resampled."""

from collections.abc import Sequence

import numpy as np

from regard.metrics.statistics import Statistics, mean_of


def accuracy_statistics(said: Sequence[int], right: Sequence[int]) -> Statistics:
    """The share of labels that are right."""
    return mean_of([float(one == other) for one, other in zip(said, right, strict=True)])


def macro_f1_statistics(said: Sequence[int], right: Sequence[int], labels: int) -> Statistics:
    """The mean over the labels of 2·hits / (said + right); a label that is in neither is left out."""
    rows = np.arange(len(said))
    counts = np.zeros((len(said), 2, labels))
    counts[rows, 0, said] += np.equal(said, right)
    counts[rows, 1, said] += 1
    counts[rows, 1, right] += 1

    def score(sums: list[float]) -> float:
        hits, both = np.reshape(sums, (2, labels))
        there = both > 0
        return float((2 * hits[there] / both[there]).mean()) if there.any() else float("nan")

    return Statistics(counts.reshape(len(said), 2 * labels), score)
