"""Which rows an epoch has, and in what order: a function of (seed, epoch)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from regard.config.data import MixCorpus, NoCorpus, OneCorpus

_DRAWS, _ORDER = 0x6D6978, 0x6F7264
"""Set these random numbers apart from each other and from those that order batches."""


def epoch_sizes(corpus: OneCorpus | MixCorpus | NoCorpus, sizes: Sequence[int]) -> list[int] | None:
    """Rows that each part gives to an epoch; None = every row of every part."""
    if not isinstance(corpus, MixCorpus) or corpus.by == "size":
        return None
    if corpus.by == "weight":
        shares = np.array([part.weight for part in corpus.parts])
    else:
        shares = np.array(sizes, float) ** (1 / corpus.temperature)
    shares = np.where(np.array(sizes) > 0, shares, 0.0)
    total = corpus.rows_per_epoch or sum(sizes)
    # The rounded ends of the shares laid side by side: they add up to the total.
    ends = np.rint(np.cumsum(shares / shares.sum()) * total).astype(int)
    return [int(size) for size in np.diff(ends, prepend=0)]


def epoch_rows(
    sizes: Sequence[int], wanted: Sequence[int] | None, *, seed: int, epoch: int
) -> NDArray[np.uint32]:
    """The rows of an epoch in random order, counted through all parts.

    sizes:  rows of each part
    wanted: rows that each gives to an epoch; None = all that it has

    A part is gone through again and again, each time in another order; an epoch takes up where the one
    before stopped. So no row comes a second time before every other of its part came once.
    """
    rows = _every(sizes) if wanted is None else _drawn(sizes, wanted, seed, epoch)
    np.random.default_rng([_ORDER, seed, epoch]).shuffle(rows)
    return rows


def _every(sizes: Sequence[int]) -> NDArray[np.uint32]:
    return np.arange(sum(sizes), dtype=np.uint32)


def _drawn(sizes: Sequence[int], wanted: Sequence[int], seed: int, epoch: int) -> NDArray[np.uint32]:
    chosen: list[NDArray[np.uint32]] = []
    first = 0
    for part, (size, count) in enumerate(zip(sizes, wanted, strict=True)):
        position, end = epoch * count, (epoch + 1) * count
        while position < end:
            round_, offset = divmod(position, size)
            order = np.random.default_rng([_DRAWS, seed, part, round_]).permutation(size).astype(np.uint32)
            taken = order[offset : offset + end - position]
            chosen.append(taken + np.uint32(first))
            position += len(taken)
        first += size
    return np.concatenate(chosen) if chosen else np.zeros(0, np.uint32)
