"""Measures of attention weights: entropy, distance, diagonality, coverage, divergence of heads.

A row is one query; it is scaled to a distribution p over its keys first, since a window or an edit can leave
it a sum below 1. A row without any weight has no measures: NaN.
"""

import numpy as np
import numpy.typing as npt

from regard.metrics.statistics import Floats


def distributions(weights: npt.ArrayLike) -> Floats:
    """Rows (…, q, k) that sum to 1; a row without weight is NaN."""
    values = np.asarray(weights, dtype=np.float64)
    total = values.sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        scaled: Floats = np.where(total > 0, values / total, np.nan)
    return scaled


def entropy(p: Floats) -> Floats:
    """H = −Σ_j p_j ln p_j of each row, in nats: (…, q, k) -> (…, q).

    >>> entropy(np.array([[0.5, 0.5], [1.0, 0.0]])).round(4).tolist()
    [0.6931, 0.0]
    """
    logs = np.log(np.where(p > 0, p, 1.0))
    found: Floats = -(p * logs).sum(axis=-1)
    return found + 0.0  # no −0


def relative_entropy(p: Floats, keys: npt.ArrayLike) -> Floats:
    """H / ln n of each row, where n keys can be attended to, (q,); NaN where there is one alone."""
    n = np.asarray(keys, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(n > 1, entropy(p) / np.log(n), np.nan)
    return found


def mean_distance(p: Floats) -> Floats:
    """Σ_j p_j |i − j| of row i, in tokens: (…, q, k) -> (…, q)."""
    rows, columns = np.arange(p.shape[-2])[:, None], np.arange(p.shape[-1])
    found: Floats = (p * np.abs(rows - columns)).sum(axis=-1)
    return found


def diagonality(p: Floats) -> Floats:
    """1 − Σ_j p_j |i / (q − 1) − j / (k − 1)| of row i: 1 on the diagonal; NaN where a side has one token."""
    if min(p.shape[-2:]) < 2:
        return np.full(p.shape[:-1], np.nan)
    rows = np.linspace(0.0, 1.0, p.shape[-2])[:, None]
    found: Floats = 1.0 - (p * np.abs(rows - np.linspace(0.0, 1.0, p.shape[-1]))).sum(axis=-1)
    return found


def coverage(p: Floats, words: npt.NDArray[np.bool_] | slice = slice(None)) -> Floats:
    """Σ_j min(1, Σ_i p_ij) / min(q, n) over the n columns of words: (…, q, k) -> (…).

    1: the rows together attend to as many words as they can; near 0: all of them to one, or to no word.
    """
    received = np.nansum(p, axis=-2)[..., words]
    most = min(p.shape[-2], received.shape[-1])
    if not most:
        return np.full(p.shape[:-2], np.nan)
    found: Floats = np.minimum(1.0, received).sum(axis=-1) / most
    return found


def js_divergence(p: Floats, q: Floats) -> Floats:
    """JSD(p, q) = H((p + q) / 2) − (H(p) + H(q)) / 2 of rows, in nats: 0 to ln 2.

    >>> js_divergence(np.array([1.0, 0.0]), np.array([0.0, 1.0])).round(4)
    np.float64(0.6931)
    """
    found: Floats = entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2
    return np.maximum(found, 0.0)


def head_divergence(p: Floats) -> Floats:
    """The mean divergence of each head from the others, row by row: (h, q, k) -> (h, q); NaN for one head."""
    heads = len(p)
    if heads < 2:
        return np.full(p.shape[:-1], np.nan)
    own = entropy(p)
    total = np.zeros(p.shape[:-1])
    for one in range(heads):  # one head against all: (h, q, k) at a time, never (h, h, q, k)
        apart = entropy((p[one] + p) / 2) - (own[one] + own) / 2
        total[one] = np.maximum(apart, 0.0).sum(axis=0) / (heads - 1)
    return total


def kendall_tau(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """τ_b = (C − D) / √((n₀ − n₁)(n₀ − n₂)): concordant less discordant pairs; ties count for neither.

    n₀ pairs, n₁ tied in x, n₂ tied in y. NaN where all values of a side are the same.

    >>> kendall_tau([1, 2, 3], [1, 3, 2])
    0.3333333333333333
    """
    one, other = (np.asarray(side, dtype=np.float64) for side in (x, y))
    above = np.triu_indices(len(one), k=1)
    a, b = (np.sign(side[:, None] - side[None, :])[above] for side in (one, other))
    untied = float(np.abs(a).sum() * np.abs(b).sum())
    return float((a * b).sum() / untied**0.5) if untied else float("nan")
