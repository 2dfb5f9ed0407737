"""Alignment error rate, precision, recall and F1 of word links."""

from collections.abc import Iterable

import numpy as np

from regard.metrics.statistics import Floats, Statistics, ratio
from regard.text.words import Links

Alignment = tuple[Links, Links, Links]
"""Of a sentence pair: the links found (A), the sure ones (S), and the possible ones (P), which hold those."""
AER, PRECISION, RECALL, F1 = "aer", "alignment_precision", "alignment_recall", "alignment_f1"
ALIGNMENT_METRICS = (AER, PRECISION, RECALL, F1)


def alignment_error_rate(alignments: Iterable[Alignment]) -> float:
    """AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|), over a corpus (Och and Ney 2003); NaN without any link."""
    return alignment_statistics(alignments)[AER].value()


def alignment_statistics(
    alignments: Iterable[Alignment | None], *, signature: str = ""
) -> dict[str, Statistics]:
    """Each score, sentence by sentence; None stands for one without a gold alignment.

    Precision is |A ∩ P| / |A|, recall |A ∩ S| / |S|, F1 their harmonic mean (Och and Ney 2003).
    """
    counts = np.array([_counts(one) if one else (0, 0, 0, 0) for one in alignments], dtype=np.float64)
    return statistics_of_counts(counts, signature=signature)


def statistics_of_counts(counts: Floats, *, signature: str = "") -> dict[str, Statistics]:
    """The same from (sentences, 4): |A ∩ S|, |A ∩ P|, |A| and |S| of each."""
    scores = {AER: _error_rate, PRECISION: _precision, RECALL: _recall, F1: _f1}
    given = counts.reshape(-1, 4)
    return {name: Statistics(given, score, signature=signature) for name, score in scores.items()}


def _counts(alignment: Alignment) -> tuple[int, int, int, int]:
    found, sure, possible = alignment
    return len(found & sure), len(found & (possible | sure)), len(found), len(sure)


def _error_rate(sums: list[float]) -> float:
    in_sure, in_possible, found, sure = sums
    return 1.0 - ratio([in_sure + in_possible, found + sure])


def _precision(sums: list[float]) -> float:
    return ratio([sums[1], sums[2]])


def _recall(sums: list[float]) -> float:
    return ratio([sums[0], sums[3]])


def _f1(sums: list[float]) -> float:
    precision, recall = _precision(sums), _recall(sums)
    return ratio([2 * precision * recall, precision + recall])
