"""Batches of a token budget, of sentences of like length; the order is a function of (seed, epoch)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """A pair as ids, without special symbols."""

    source: tuple[int, ...]
    target: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded sentence pairs. The target stands twice: as fed (<s> first), as wanted (</s> last)."""

    source: Tensor
    """(b, s), each sentence with its </s>."""
    lengths: Tensor
    """(b,) source lengths, </s> counted."""
    fed: Tensor
    """(b, t)"""
    wanted: Tensor
    """(b, t)"""
    real: Tensor
    """(b, t), True where `wanted` is a token and not padding."""
    rows: tuple[int, ...]
    """Where each pair stands in the corpus."""

    def to(self, device: torch.device) -> "Batch":
        """The same on another device."""
        return Batch(
            source=self.source.to(device),
            lengths=self.lengths.to(device),
            fed=self.fed.to(device),
            wanted=self.wanted.to(device),
            real=self.real.to(device),
            rows=self.rows,
        )


@dataclass(frozen=True, slots=True)
class Symbols:
    """The ids that frame a sentence."""

    pad: int
    bos: int
    eos: int


def plan_batches(lengths: np.ndarray, *, budget: int, seed: int, epoch: int) -> list[list[int]]:
    """Put every row into exactly one batch of one epoch.

    lengths: (n, 2), tokens of source and target with the symbols that frame them
    returns: rows, batch by batch; rows times the longest side of any of them stays within the budget,
             unless a single row is longer than that

    Rows are shuffled, then sorted by length, so that like lengths meet in another company each epoch; then
    the batches are shuffled. Sorting is by the longer side first: that is what a budget pays for.
    """
    random = np.random.default_rng([seed, epoch])
    order = random.permutation(len(lengths))
    longest = lengths.max(axis=1)
    order = order[np.lexsort((lengths[order, 0], lengths[order, 1], longest[order]))]
    batches: list[list[int]] = []
    for row in order.tolist():
        # Sorted: this row is the longest of its batch.
        if not batches or (len(batches[-1]) + 1) * longest[row] > budget:
            batches.append([])
        batches[-1].append(row)
    return [batches[i] for i in random.permutation(len(batches))]


def make_batch(pairs: Sequence[EncodedPair], rows: Sequence[int], symbols: Symbols) -> Batch:
    """Pad the pairs at these rows."""
    chosen = [pairs[row] for row in rows]
    source, lengths = pad_sources([pair.source for pair in chosen], symbols)
    fed = _pad([(symbols.bos, *pair.target) for pair in chosen], symbols.pad)
    wanted = _pad([(*pair.target, symbols.eos) for pair in chosen], symbols.pad)
    target_lengths = torch.tensor([len(pair.target) + 1 for pair in chosen])
    real = torch.arange(wanted.shape[1]) < target_lengths[:, None]
    return Batch(source, lengths, fed, wanted, real, tuple(rows))


def pad_sources(sources: Sequence[Sequence[int]], symbols: Symbols) -> tuple[Tensor, Tensor]:
    """Source sentences with their </s>: (b, s) and lengths (b,)."""
    lengths = torch.tensor([len(ids) + 1 for ids in sources])
    return _pad([(*ids, symbols.eos) for ids in sources], symbols.pad), lengths


def length_batches(lengths: Sequence[int], *, budget: int) -> Iterator[list[int]]:
    """Rows in batches of like length, longest first, for work whose order does not matter."""
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lambda row: -lengths[row]):
        if batch and (len(batch) + 1) * lengths[batch[0]] > budget:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _pad(rows: Sequence[Sequence[int]], pad: int) -> Tensor:
    padded = np.full((len(rows), max(map(len, rows))), pad, dtype=np.int64)
    for place, row in enumerate(rows):
        padded[place, : len(row)] = row
    return torch.from_numpy(padded)
