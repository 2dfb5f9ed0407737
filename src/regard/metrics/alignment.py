"""Alignment error rate."""

from collections.abc import Iterable

import numpy as np

from regard.metrics.statistics import Statistics, ratio
from regard.text.words import Links

Alignment = tuple[Links, Links, Links]
"""Of a sentence pair: the links found (A), the sure ones (S), and the possible ones (P), which hold those."""


def alignment_error_rate(alignments: Iterable[Alignment]) -> float:
    """AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|), over a corpus (Och and Ney 2003); NaN without any link."""
    return alignment_statistics(alignments).value()


def alignment_statistics(alignments: Iterable[Alignment | None], *, signature: str = "") -> Statistics:
    """The error rate, sentence by sentence; None stands for one without a gold alignment."""
    counts = [_counts(alignment) if alignment else (0, 0) for alignment in alignments]
    return Statistics(np.array(counts, dtype=np.float64).reshape(-1, 2), _error_rate, signature=signature)


def _counts(alignment: Alignment) -> tuple[int, int]:
    found, sure, possible = alignment
    return len(found & sure) + len(found & (possible | sure)), len(found) + len(sure)


def _error_rate(sums: list[float]) -> float:
    return 1.0 - ratio(sums)
