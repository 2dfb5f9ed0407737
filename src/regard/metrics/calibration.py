"""Calibration error, and temperature scaling (Guo et al. 2017)."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

from regard.errors import DataError
from regard.metrics.statistics import Floats, Statistics

BINS = 15
_BOUNDS = (-3.0, 3.0)
"""Of the logarithm of a temperature: from 1/20 to 20."""
_SURELY_NOT = 600.0
"""So far below the most probable, a probability is 0 to a computer."""


def calibration_statistics(confidence: Floats, right: npt.ArrayLike) -> Statistics:
    """The expected calibration error: the mean distance of confidence and accuracy, in bins of equal width.

    confidence: (n,), the probability of the prediction; (n, outputs) where a sentence has several
    right:      whether it was right, in the same shape
    """
    hits = np.asarray(right, dtype=np.float64)
    if hits.shape != confidence.shape:
        raise DataError(f"expected a confidence for each answer, {hits.shape}, found {confidence.shape}")
    bins = np.clip(np.ceil(confidence * BINS).astype(int) - 1, 0, BINS - 1)
    rows = np.arange(len(hits)).reshape(-1, *[1] * (hits.ndim - 1))
    places = (rows * BINS + bins).ravel()
    counts = [
        np.bincount(places, values.ravel(), minlength=len(hits) * BINS).reshape(-1, BINS)
        for values in (np.ones_like(hits), confidence, hits)
    ]
    return Statistics(np.hstack(counts), _error, signature=f"bins:{BINS}|width:equal")


def _error(sums: list[float]) -> float:
    number, confidence, hits = np.reshape(sums, (3, BINS))
    total = number.sum()
    return float(np.abs(confidence - hits).sum() / total) if total else float("nan")


def fit_temperature(logits: Floats, right: npt.ArrayLike) -> float:
    """The T for which the probabilities of logits / T are best, on sentences that were not trained on.

    The target is 1 - 1 / (n + 2) for n sentences and not 1, as in Platt (1999): that all of them are right
    does not say that none can be wrong.

    logits: (n, labels)
            A label that is sure not to be, such as one that the rules of a CRF forbid, is no choice:
            no temperature makes it one
    right:  the number of the right label, of softmax(logits / T); or a mark for each, of σ(logits / T)
    """
    truth = np.asarray(right)
    if len(truth) != len(logits) or not len(logits):
        raise DataError(f"expected a right answer for each row of logits, {len(logits)}, found {len(truth)}")
    if truth.ndim == 2:  # σ(z) is the softmax over z and 0
        return fit_temperature(np.stack([0.0 * logits, logits], -1).reshape(-1, 2), truth.ravel().astype(int))
    possible = logits > logits.max(axis=1, keepdims=True) - _SURELY_NOT
    is_possible = possible[np.arange(len(logits)), truth]
    if not is_possible.any():
        return 1.0
    logits, truth, possible = logits[is_possible], truth[is_possible], possible[is_possible]
    rows = len(logits)
    rest = 1 / (rows + 2)
    wanted = possible * rest / np.maximum(possible.sum(axis=1, keepdims=True) - 1, 1)
    wanted[np.arange(rows), truth] = 1 - rest
    return _best(lambda temperature: -float((wanted * log_softmax(logits / temperature)).sum() / rows))


def fit_temperature_of_each(scores: Sequence[Floats], right: Sequence[int]) -> float:
    """The same where every sentence has choices of its own.

    scores: of each sentence, (choices,), two or more
    right:  which of them is right
    """
    if len(scores) != len(right) or not len(scores):
        raise DataError(f"expected a right answer for each of {len(scores)} sentences, found {len(right)}")
    rest = 1 / (len(scores) + 2)
    wanted = []
    for own, at in zip(scores, right, strict=True):
        others = (float(own.sum()) - float(own[at])) / (len(own) - 1)
        wanted.append((1 - rest) * float(own[at]) + rest * others)

    def loss(temperature: float) -> float:
        totals = [logsumexp(own / temperature) for own in scores]
        return float(np.mean(totals)) - float(np.mean(wanted)) / temperature

    return _best(loss)


def _best(loss: Callable[[float], float]) -> float:
    """The temperature with the smallest loss."""
    found = minimize_scalar(
        lambda logarithm: loss(float(np.exp(logarithm))),
        bounds=_BOUNDS, method="bounded", options={"xatol": 1e-5},
    )  # fmt: skip
    return float(np.exp(found.x))


def log_softmax(logits: Floats) -> Floats:
    """Log-probabilities over the last axis."""
    above = logits - logits.max(axis=-1, keepdims=True)
    logs: Floats = above - np.log(np.exp(above).sum(axis=-1, keepdims=True))
    return logs
