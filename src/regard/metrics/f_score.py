"""Precision, recall and F1 from true positives, predicted and gold counts, of one class or of many."""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from regard.metrics.statistics import Floats, Statistics

Measure = Literal["precision", "recall", "f1"]
Mean = Literal["micro", "macro"]
"""micro: of all classes together; macro: the unweighted mean over the classes."""


class ClassScore(NamedTuple):
    """The scores of one class."""

    precision: float
    recall: float
    f1: float
    there: int
    """Support: how many there are in gold."""


def f_statistics(
    hits: Floats, said: Floats, there: Floats, *, measure: Measure = "f1", mean: Mean = "macro"
) -> Statistics:
    """The score of a corpus from the counts of each sentence, (n, classes) each.

    Where nothing was predicted, precision is 0, and where gold has nothing, recall is 0, as in scikit-learn
    and seqeval. A class that is in neither is left out of the mean; without any, there is no score.
    """
    return Statistics(np.hstack([hits, said, there]), f_score(hits.shape[1], measure=measure, mean=mean))


def f_score(kinds: int, *, measure: Measure = "f1", mean: Mean = "macro") -> Callable[[list[float]], float]:
    """The score for sums of true positives, predicted and gold, of each class: 3 × classes numbers."""

    def score(sums: list[float]) -> float:
        parts = np.reshape(sums, (3, kinds))
        if mean == "micro":
            parts = parts.sum(axis=1, keepdims=True)
        occurring = parts[1] + parts[2] > 0
        values = _measured(*parts[:, occurring])[measure]
        return float(values.mean()) if len(values) else float("nan")

    return score


def class_scores(hits: Floats, said: Floats, there: Floats) -> list[ClassScore]:
    """The scores of each class, from the counts of each sentence, (n, classes) each."""
    sums = [part.sum(axis=0) for part in (hits, said, there)]
    measured = _measured(*sums)
    columns = (measured["precision"], measured["recall"], measured["f1"], sums[2].astype(int))
    return [ClassScore(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def _measured(hits: Floats, said: Floats, there: Floats) -> dict[Measure, Floats]:
    """Counts are whole numbers: where there is nothing to divide by, 0 is divided by 1."""
    return {
        "precision": hits / np.maximum(said, 1),
        "recall": hits / np.maximum(there, 1),
        "f1": 2 * hits / np.maximum(said + there, 1),
    }
