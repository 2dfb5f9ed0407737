"""Accuracy, precision, recall and F1 of labels: single-label by ids, multi-label by indicator matrices."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from regard.errors import DataError
from regard.metrics.f_score import ClassScore, Mean, Measure, class_scores, f_score, f_statistics
from regard.metrics.statistics import Floats, Rows, Statistics, mean_of, ratio

Marks = npt.NDArray[np.bool_]
"""(n, labels), True where a sentence has a label."""


def marks(numbers: npt.ArrayLike, labels: int) -> Marks:
    """One label a sentence, by its number, as marks."""
    chosen: Marks = np.asarray(numbers)[:, None] == np.arange(labels)
    return chosen


def accuracy_statistics(said: npt.ArrayLike, right: npt.ArrayLike) -> Statistics:
    """The share of sentences whose label is right; of marks, those where every mark is."""
    one, other = _paired(said, right)
    same = one == other
    return mean_of(same if same.ndim == 1 else same.all(axis=1))


def label_statistics(
    said: Marks, right: Marks, *, measure: Measure = "f1", mean: Mean = "macro"
) -> Statistics:
    """Precision, recall or F1 over all labels; given one column of the marks alone, that label's own."""
    return f_statistics(*_counted(said, right), measure=measure, mean=mean)


def one_label_statistics(
    said: npt.ArrayLike, right: npt.ArrayLike, labels: int, *, measure: Measure = "f1", mean: Mean = "macro"
) -> Statistics:
    """The same as of marks, where a sentence has one label, by its number; however many labels there are."""
    numbers = np.column_stack(_paired(said, right)).astype(np.float64)
    return _Numbered(numbers, f_score(labels, measure=measure, mean=mean), labels=labels)


@dataclass(frozen=True, eq=False)
class _Numbered(Statistics):
    """A row has the two numbers alone: marks would take rows × labels of memory."""

    labels: int = 0

    def value(self, rows: Rows | None = None) -> float:
        """The score of the corpus, or of some of its sentences."""
        chosen = np.arange(len(self)) if rows is None else rows
        times = np.bincount(chosen, minlength=len(self)).astype(np.float64)
        return self.score(self.sums(times[None])[0].tolist())

    def sums(self, times: Floats) -> Floats:
        """True positives, predicted and gold counts of each label: (samples, n) -> (samples, 3 labels)."""
        said, right = self.counts.astype(np.intp).T
        firsts = np.arange(len(times))[:, None] * self.labels

        def counted(numbers: npt.NDArray[np.intp], weights: Floats) -> Floats:
            places = (firsts + numbers).ravel()
            found: Floats = np.bincount(places, weights.ravel(), len(times) * self.labels).astype(np.float64)
            return found.reshape(len(times), self.labels)

        hits = times * (said == right)
        return np.hstack([counted(said, hits), counted(said, times), counted(right, times)])

    def each(self) -> Floats:
        """Of a sentence alone: 1 where the label is right, else 0."""
        same: Floats = (self.counts[:, 0] == self.counts[:, 1]).astype(np.float64)
        return same


def label_scores(said: Marks, right: Marks) -> list[ClassScore]:
    """Precision, recall and F1 of each label."""
    return class_scores(*_counted(said, right))


def confusion_matrix(said: npt.ArrayLike, right: npt.ArrayLike, labels: int) -> npt.NDArray[np.intp]:
    """How often a label (row) was taken for another (column), (labels, labels)."""
    one, other = _paired(said, right)
    return np.bincount(other * labels + one, minlength=labels**2).reshape(labels, labels)


def _counted(said: Marks, right: Marks) -> tuple[Floats, Floats, Floats]:
    one, other = (part.astype(np.float64) for part in _paired(said, right))
    return one * other, one, other


def _paired(said: npt.ArrayLike, right: npt.ArrayLike) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    one, other = np.asarray(said), np.asarray(right)
    if one.shape != other.shape:
        raise DataError(f"expected as many labels as there are right ones, {other.shape}, found {one.shape}")
    return one, other


Numbers = Sequence[npt.NDArray[np.intp]]
"""The label ids of each sentence."""


def word_accuracy(
    said: Sequence[npt.NDArray[Any]],
    right: Sequence[npt.NDArray[Any]],
    chosen: Sequence[npt.NDArray[np.bool_]] | None = None,
) -> Statistics:
    """The share of words whose label is right, by numbers or names.

    chosen: which words count, True = does; None = all
    """
    chosen = [np.ones(len(own), dtype=bool) for own in right] if chosen is None else chosen
    hits = [int((one == other)[own].sum()) for one, other, own in zip(said, right, chosen, strict=True)]
    counts = [hits, [int(own.sum()) for own in chosen]]
    return Statistics(np.array(counts, dtype=np.float64).T, ratio)


def label_counts(said: Numbers, right: Numbers, labels: int) -> tuple[Floats, Floats, Floats]:
    """Counts of each label in each sentence: true positives, predicted, gold; (n, labels) each."""
    rows = [np.repeat(np.arange(len(side)), [len(own) for own in side]) for side in (said, right)]
    one, other = (np.concatenate([*side]) if len(side) else np.zeros(0, np.intp) for side in (said, right))
    both = one == other
    shape = (len(right), labels)

    def counted(row: npt.NDArray[np.intp], label: npt.NDArray[np.intp]) -> Floats:
        flat = np.bincount(row * labels + label, minlength=shape[0] * labels)
        return flat.reshape(shape).astype(np.float64)

    return counted(rows[0][both], one[both]), counted(rows[0], one), counted(rows[1], other)
