"""Precision, recall and F1 from true positives, predicted and gold counts: of a class, of many, of spans."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from regard.errors import DataError
from regard.metrics.statistics import Floats, Statistics
from regard.text.span_labels import spans_of

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


TagSequence = Sequence[str]
"""A label for each word of a sentence, in BIO or BIOES."""


def span_statistics(
    said: Sequence[TagSequence],
    right: Sequence[TagSequence],
    *,
    measure: Measure = "f1",
    mean: Mean = "micro",
) -> Statistics:
    """Precision, recall or F1 of the spans."""
    _, counts = _counted(said, right)
    return f_statistics(*counts, measure=measure, mean=mean)


def span_scores(said: Sequence[TagSequence], right: Sequence[TagSequence]) -> dict[str, ClassScore]:
    """Precision, recall and F1 of each type, in the order of their names."""
    kinds, counts = _counted(said, right)
    return dict(zip(kinds, class_scores(*counts), strict=True))


def _counted(
    said: Sequence[TagSequence], right: Sequence[TagSequence]
) -> tuple[list[str], tuple[Floats, Floats, Floats]]:
    """The types, and the counts of each sentence: true positives, predicted, gold; (n, types) each."""
    if list(map(len, said)) != list(map(len, right)):
        raise DataError(f"expected a label for each word of {len(right):,} sentences; {_where(said, right)}")
    pairs = [(spans_of(one), spans_of(other)) for one, other in zip(said, right, strict=True)]
    kinds = sorted({span.kind for pair in pairs for spans in pair for span in spans})
    place = {kind: number for number, kind in enumerate(kinds)}
    counts = np.zeros((3, len(pairs), len(kinds)))
    for row, (found, there) in enumerate(pairs):
        for part, spans in enumerate((found & there, found, there)):
            for span in spans:
                counts[part, row, place[span.kind]] += 1
    return kinds, (counts[0], counts[1], counts[2])


def _where(said: Sequence[TagSequence], right: Sequence[TagSequence]) -> str:
    if len(said) != len(right):
        return f"found {len(said):,} sentences"
    row = next(row for row, pair in enumerate(zip(said, right, strict=True)) if len(pair[0]) != len(pair[1]))
    return f"sentence {row + 1:,} has {len(right[row])} words, found {len(said[row])} labels"
