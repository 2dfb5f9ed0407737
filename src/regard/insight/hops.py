"""The hops of structured self-attention: their sum, and their overlap."""

from dataclasses import replace
from typing import Any

import numpy as np

from regard.insight.maps import AttentionMap, Weights

ALL_HOPS = "all hops"


def with_sum(attention: AttentionMap) -> AttentionMap:
    """The map of hops with one more row: their sum over each word, made to sum to 1 (Lin et al. 2017).

    A map of anything else, and one of a single hop, stays as it is.
    """
    if attention.kind != "hops" or len(attention.rows) < 2:
        return attention
    total = attention.weights.mean(axis=0, keepdims=True)
    hidden = attention.hidden
    return replace(
        attention,
        rows=(*attention.rows, ALL_HOPS),
        weights=np.concatenate([attention.weights, total]),
        hidden=None if hidden is None else np.append(hidden, hidden.mean(dtype=np.float32)),
    )


def overlap(attention: AttentionMap) -> Weights:
    """(hops, hops): Σ_j min(A_aj, A_bj), 1 where two hops are equal, 0 where they share no word."""
    weights = attention.weights
    shared: Weights = np.minimum(weights[:, None], weights[None]).sum(axis=2)
    return shared


def mean_overlap(attention: AttentionMap) -> float | None:
    """Of every two hops; None where there is one hop, or the rows are no hops."""
    hops = len(attention.rows)
    if attention.kind != "hops" or hops < 2:
        return None
    return float(overlap(attention)[~np.eye(hops, dtype=bool)].mean())


def overlap_summary(attention: AttentionMap) -> str:
    """The mean overlap, and the two hops that are most alike; nothing where there are no two hops."""
    mean = mean_overlap(attention)
    if mean is None:
        return ""
    below = np.tril(np.ones((len(attention.rows),) * 2, dtype=bool), -1)
    both = np.where(below, overlap(attention), -1.0)
    first, second = sorted(int(place) for place in np.unravel_index(both.argmax(), both.shape))
    most = f"{attention.rows[first]} and {attention.rows[second]}: {both.max():.2f}"
    return f"overlap between hops: {mean:.2f} on average; most alike {most}"


def to_dict(attention: AttentionMap) -> dict[str, Any]:
    """The map as plain values; of hops also their sum and their overlap."""
    values = attention.to_dict()
    if mean_overlap(attention) is None:
        return values
    return {
        **values,
        "sum": [round(float(weight), 6) for weight in with_sum(attention).weights[-1]],
        "overlap": [[round(float(value), 6) for value in row] for row in overlap(attention)],
    }
