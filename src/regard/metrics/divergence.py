"""Kullback-Leibler divergence."""

import math
from collections.abc import Sequence

import numpy as np

from regard.metrics.statistics import Floats

SMALLEST = 5e-324
"""A probability that has become 0 in float64 is as good as the smallest number there is."""


def divergence(before: Floats | Sequence[float], after: Floats | Sequence[float]) -> float:
    """KL(before ‖ after) = Σ p (log p − log q), in nats.

    >>> round(divergence([0.5, 0.5], [0.25, 0.75]), 4), divergence([1.0, 0.0], [1.0, 0.0])
    (0.1438, 0.0)
    """
    p, q = (np.asarray(each, dtype=np.float64) for each in (before, after))
    terms = p * (np.log(np.maximum(p, SMALLEST)) - np.log(np.maximum(q, SMALLEST)))
    return max(0.0, math.fsum(terms.tolist()))
