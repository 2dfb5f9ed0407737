"""Whether probabilities can be taken at their word, and a temperature that makes them so."""

from collections.abc import Sequence

import numpy as np

from regard.metrics.statistics import Floats, Statistics

BINS = 15
_BOUNDS = (-3.0, 3.0)
"""Of the logarithm of a temperature."""


def fit_temperature(logits: Floats, labels: Sequence[int]) -> float:
    """The T for which softmax(logits / T) says most of the right labels (Guo et al. 2017).

    The right label is given 1 - 1 / (n + 2) of n rows and not 1, as Platt (1999) did: rows that are all right
    do not say that no row can be wrong.

    logits: (n, labels)
    """
    from scipy.optimize import minimize_scalar  # it takes a while to import, and only training needs it

    rows, count = logits.shape
    rest = 1 / (rows + 2)
    wanted = np.full(logits.shape, rest / (count - 1))
    wanted[np.arange(rows), np.asarray(labels)] = 1 - rest

    def loss(log_temperature: float) -> float:
        return -float((wanted * log_softmax(logits / np.exp(log_temperature))).sum() / rows)

    found = minimize_scalar(loss, bounds=_BOUNDS, method="bounded", options={"xatol": 1e-4})
    return float(np.exp(found.x))


def log_softmax(logits: Floats) -> Floats:
    """Log-probabilities over the last axis."""
    above = logits - logits.max(axis=-1, keepdims=True)
    logs: Floats = above - np.log(np.exp(above).sum(axis=-1, keepdims=True))
    return logs


def calibration_statistics(confidence: Floats, right: Sequence[bool]) -> Statistics:
    """The expected calibration error (Guo et al. 2017), over bins of equal width.

    confidence: (n,) the probability of the label that was said
    right:      whether it was the right one
    """
    hits = np.asarray(right, dtype=np.float64)
    places = np.clip(np.ceil(confidence * BINS).astype(int) - 1, 0, BINS - 1)
    counts = np.zeros((len(hits), 3, BINS))
    rows = np.arange(len(hits))
    for place, values in enumerate((np.ones_like(hits), confidence, hits)):
        counts[rows, place, places] = values
    return Statistics(counts.reshape(len(hits), 3 * BINS), _error, signature=f"bins:{BINS}|width:equal")


def _error(sums: list[float]) -> float:
    total = sum(sums[:BINS])
    gaps = (abs(sums[BINS + place] - sums[2 * BINS + place]) for place in range(BINS))
    return sum(gaps) / total if total else float("nan")
