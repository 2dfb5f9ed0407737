"""Pairs whose lengths are out of proportion, judged by the other pairs of the corpus."""

import numpy as np
from numpy.typing import NDArray

from regard.doctor.groups import Group, Match
from regard.doctor.ledger import Ledger

SMOOTHING = 10
"""Characters added to both lengths: one syllable more says much about OK, nothing about a sentence."""
WIDTH = 6.0
"""How many (scaled) median absolute deviations from the median are too far; in a normal distribution, one row
in five hundred million lies beyond."""
FEWEST_ROWS = 100
"""Fewer rows have no usual ratio."""
_SCALE = 1.4826
"""Makes the median absolute deviation the standard deviation of a normal distribution."""
_NARROWEST = 0.1
"""The least deviation (10 %), so that a corpus of equal lengths does not call everything else an outlier."""


def out_of_proportion(group: Group) -> Match:
    """Rows whose ratio of lengths is far from the usual one, the farthest first.

    Outliers do not move a median, so it needs no cleaning before.
    """
    distances = np.concatenate([_log_ratio(ledger) for ledger in group.ledgers])
    known = ~np.isnan(distances)
    if np.count_nonzero(known) < FEWEST_ROWS:
        return Match("length-ratio", group, np.empty(0, dtype=np.int32))
    distances -= np.median(distances[known])
    np.abs(distances, out=distances)
    deviation = max(_NARROWEST, _SCALE * float(np.median(distances[known])))
    rows = np.flatnonzero(distances > WIDTH * deviation).astype(np.int32)
    return Match("length-ratio", group, rows[np.argsort(-distances[rows], kind="stable")])


def _log_ratio(ledger: Ledger) -> NDArray[np.float32]:
    source, target = (ledger.lengths(side).astype(np.float32) for side in (0, 1))
    empty = (source == 0) | (target == 0)
    target += SMOOTHING
    source += SMOOTHING
    target /= source
    np.log(target, out=target)
    target[empty] = np.nan
    return target
