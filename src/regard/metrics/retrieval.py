"""Retrieval: the rank of each text's partner, accuracy at 1 and mean reciprocal rank."""

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from regard.errors import DataError
from regard.metrics.statistics import Statistics, mean_of

_AT_ONCE = 256


def partner_ranks(
    first: npt.NDArray[np.floating],
    second: npt.NDArray[np.floating],
    firsts: Sequence[Hashable],
    seconds: Sequence[Hashable],
) -> npt.NDArray[np.intp]:
    """The rank of the partner of each text among all seconds, from 1, by the cosine: (n, d) twice -> (n,).

    firsts, seconds: the texts themselves. Each stands for one candidate, however often it comes; a text with
    several partners has none of them counted against another, nor a text itself. Of two as near, the partner
    comes last, so that a model with one vector for all texts finds nothing.
    """
    if not len(first) == len(second) == len(firsts) == len(seconds):
        raise DataError(f"expected as many texts on both sides, found {len(first)} and {len(second)}")
    numbers = {text: number for number, text in enumerate(dict.fromkeys(seconds))}
    own = np.array([numbers[text] for text in seconds], dtype=np.intp)
    _, places = np.unique(own, return_index=True)
    uncounted = {text: {numbers[text]} if text in numbers else set() for text in firsts}
    for text, number in zip(firsts, own.tolist(), strict=True):
        uncounted[text].add(number)
    one, other = _directions(first), _directions(second)[places]
    ranks = np.empty(len(first), dtype=np.intp)
    for start in range(0, len(first), _AT_ONCE):
        rows = np.arange(start, min(start + _AT_ONCE, len(first)))
        cosines = one[rows] @ other.T
        partner = cosines[np.arange(len(rows)), own[rows]]
        nearer = cosines >= partner[:, None]
        for at, row in enumerate(rows.tolist()):
            nearer[at, list(uncounted[firsts[row]])] = False
        ranks[rows] = 1 + nearer.sum(axis=1)
    return ranks


def retrieval_statistics(ranks: npt.NDArray[np.intp]) -> dict[str, Statistics]:
    """How often the partner is the nearest, and the mean of 1 / its rank (Voorhees 1999)."""
    return {"retrieval": mean_of(ranks == 1), "mrr": mean_of(1 / ranks)}


def _directions(vectors: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    values = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(values, axis=1, keepdims=True).clip(min=1e-12)
    found: npt.NDArray[np.float64] = values / lengths
    return found
