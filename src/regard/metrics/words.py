"""Scores of what is said of each word, sentence by sentence."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from regard.metrics.statistics import Floats, Statistics, ratio

Numbers = Sequence[npt.NDArray[np.intp]]
"""The numbers of the labels of each sentence."""


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
    """What each sentence has of each label: said and right, said, right; (n, labels) each."""
    rows = [np.repeat(np.arange(len(side)), [len(own) for own in side]) for side in (said, right)]
    one, other = (np.concatenate([*side]) if len(side) else np.zeros(0, np.intp) for side in (said, right))
    both = one == other
    shape = (len(right), labels)

    def counted(row: npt.NDArray[np.intp], label: npt.NDArray[np.intp]) -> Floats:
        flat = np.bincount(row * labels + label, minlength=shape[0] * labels)
        return flat.reshape(shape).astype(np.float64)

    return counted(rows[0][both], one[both]), counted(rows[0], one), counted(rows[1], other)
