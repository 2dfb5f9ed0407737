"""The map of those heads that were chosen for word alignment."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from regard.errors import RegardError
from regard.insight.maps import AttentionMap, Weights
from regard.store.alignment import AlignmentHeads


def shifted(weights: Weights, shift: int) -> Weights:
    """Row t + shift in the place of row t, (…, rows, columns); one beyond the end stays as it is."""
    if not shift:
        return weights
    count = weights.shape[-2]
    rows = np.arange(count) + shift
    return weights[..., np.where((rows < 0) | (rows >= count), np.arange(count), rows), :]


def aligning_map(
    maps: Sequence[AttentionMap],
    heads: AlignmentHeads,
    reduce: Callable[[tuple[AttentionMap, ...]], AttentionMap],
) -> AttentionMap:
    """One map made of the chosen ones, in tokens.

    maps: all that there are
    """
    wanted = {(one.path, one.head) for one in heads.heads}
    found = tuple(m for m in maps if (m.path, m.head) in wanted)
    if len(found) < len(wanted):
        raise RegardError(
            f"not all of the heads chosen for word alignment ({heads}) were recorded; choose a path or a kind"
        )
    one = reduce(found)
    return replace(one, weights=shifted(one.weights, heads.shift), chosen=str(heads))
