"""Scores of labels: one a sentence, by its number, or any number of them, by a mark for each label."""

import numpy as np
import numpy.typing as npt

from regard.errors import DataError
from regard.metrics.f_score import KindScore, Mean, Measure, f_statistics, kind_scores
from regard.metrics.statistics import Floats, Statistics, mean_of

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


def label_scores(said: Marks, right: Marks) -> list[KindScore]:
    """Precision, recall and F1 of each label."""
    return kind_scores(*_counted(said, right))


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
