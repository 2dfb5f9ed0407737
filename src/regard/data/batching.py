"""Batches of a token budget, of sentences of like length; the order is a function of (seed, epoch)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Protocol, overload

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regard.data.batch_links import BatchLinks, batch_links
from regard.nn.decoder import DecoderInputs
from regard.text.symbols import BOS, EOS, PAD

Ids = Sequence[int] | NDArray[np.integer[Any]]
"""Ids of a sentence, without special symbols."""


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """A pair as ids, without special symbols."""

    source: Ids
    target: Ids
    links: Ids = ()
    """Between their tokens, as `TokenLinkIds` gives them."""


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
    links: BatchLinks | None = None
    """Between the tokens, where any are known."""

    @property
    def inputs(self) -> DecoderInputs:
        """What a decoder is given, teacher-forced: it is not told which positions count."""
        return DecoderInputs(self.source, self.lengths, self.fed)

    def to(self, device: torch.device) -> "Batch":
        """The same on another device."""
        return Batch(
            source=self.source.to(device),
            lengths=self.lengths.to(device),
            fed=self.fed.to(device),
            wanted=self.wanted.to(device),
            real=self.real.to(device),
            links=None if self.links is None else self.links.to(device),
        )


@dataclass(frozen=True, slots=True)
class Symbols:
    """The ids that frame a sentence."""

    pad: int
    bos: int
    eos: int


SYMBOLS = Symbols(pad=PAD, bos=BOS, eos=EOS)
"""Those of every vocabulary of regard."""


class Plan(Sequence[list[int]]):
    """The batches of an epoch, as rows of the corpus."""

    def __init__(self, rows: NDArray[np.uint32], ends: NDArray[np.int64], order: NDArray[np.int64]) -> None:
        self._rows = rows
        self._ends = ends
        self._order = order

    def __len__(self) -> int:
        return len(self._order)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many rows the batches have, the shortest rows first: not in the order of the epoch."""
        return np.diff(self._ends, prepend=0)

    @overload
    def __getitem__(self, place: int) -> list[int]: ...
    @overload
    def __getitem__(self, place: slice) -> list[list[int]]: ...
    def __getitem__(self, place: int | slice) -> list[int] | list[list[int]]:
        """The rows of one batch, or of several."""
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        batch = int(self._order[place])
        start = int(self._ends[batch - 1]) if batch else 0
        rows: list[int] = self._rows[start : self._ends[batch]].tolist()
        return rows


# A sort key has 64 bits: the longest side, the last and the first side, and 32 bits for the place.
_PLACE_BITS, _SIDE_BITS, _LONGEST_BITS = 32, 9, 14
_LONGEST_SHIFT = _PLACE_BITS + 2 * _SIDE_BITS
LONGEST = (1 << _LONGEST_BITS) - 1
"""A row at least as long as this is a batch of its own."""
_CHUNK = 1 << 15
_FRAME = 1
"""A sentence is fed with one symbol more than it has: <s> before it, or </s> after it."""
_BATCH_ORDER = 0x626174
"""Sets these random numbers apart from those that draw rows."""


def plan_batches(
    lengths: Sequence[NDArray[np.uint32]],
    rows: NDArray[np.uint32],
    *,
    budget: int,
    seed: int,
    epoch: int,
) -> Plan:
    """Put every row of an epoch into exactly one batch.

    lengths: (n, k) for each part of a corpus, tokens of each sentence of a row, such as source and target
    rows:    the rows of this epoch in random order, counted through all parts
    returns: the batches; rows times the longest side of any of them, with the symbol that frames it, stays
             within the budget, unless a single row is longer than that

    Rows are sorted by length; those of the same length keep their random order, so that the
    composition of batches is another each epoch; then the batches are shuffled. Sorting is by the longer side
    first: that is what a budget pays for.

    No more than 12 bytes per row are held, `rows` included: keys are made in pieces, sorted in place, and
    turned into rows in pieces.
    """
    keys = _sort_keys(lengths, rows)
    keys.sort()
    ends = _batch_ends(keys, budget)
    order = keys.view(np.uint32)  # written over the keys: a place is read before it is written
    for start in range(0, len(rows), _CHUNK):
        places = keys[start : start + _CHUNK] & np.uint64((1 << _PLACE_BITS) - 1)
        order[start : start + len(places)] = rows[places]
    shuffled = np.random.default_rng([_BATCH_ORDER, seed, epoch]).permutation(len(ends))
    return Plan(order[: len(keys)], ends, shuffled)


def _sort_keys(lengths: Sequence[NDArray[np.uint32]], rows: NDArray[np.uint32]) -> NDArray[np.uint64]:
    firsts = np.cumsum([0, *map(len, lengths)])
    keys = np.empty(len(rows), np.uint64)
    for start in range(0, len(rows), _CHUNK):
        chosen = rows[start : start + _CHUNK]
        part = np.searchsorted(firsts, chosen, side="right") - 1
        sides = np.empty((len(chosen), lengths[0].shape[1]), np.uint64)
        for number, own in enumerate(lengths):
            here = part == number
            sides[here] = own[chosen[here] - firsts[number]] + _FRAME
        longest = np.minimum(sides.max(axis=1), LONGEST).astype(np.uint64)
        short = np.minimum(sides, (1 << _SIDE_BITS) - 1).astype(np.uint64)
        keys[start : start + len(chosen)] = (
            longest << np.uint64(_LONGEST_SHIFT)
            | short[:, -1] << np.uint64(_PLACE_BITS + _SIDE_BITS)
            | short[:, 0] << np.uint64(_PLACE_BITS)
            | np.arange(start, start + len(chosen), dtype=np.uint64)
        )
    return keys


def _batch_ends(keys: NDArray[np.uint64], budget: int) -> NDArray[np.int64]:
    """Where each batch ends in the sorted rows; the work is by batches and lengths, not by rows."""
    ends: list[int] = []
    begun = start = 0  # of the open batch; of the rows of this length
    while start < len(keys):
        longest = int(keys[start]) >> _LONGEST_SHIFT
        if longest == LONGEST:
            stop, room = len(keys), 1
        else:
            stop = int(np.searchsorted(keys, np.uint64((longest + 1) << _LONGEST_SHIFT)))
            room = max(1, budget // longest)
        if start > begun and start - begun >= room:  # the open batch has no room for one as long as this
            ends.append(start)
            begun = start
        while stop - begun > room:
            begun += room
            ends.append(begun)
        start = stop
    if begun < len(keys):
        ends.append(len(keys))
    return np.array(ends, np.int64)


class Pairs(Protocol):
    """Pairs by their row."""

    def __getitem__(self, row: int, /) -> EncodedPair: ...


def make_batch(pairs: Pairs, rows: Iterable[int], symbols: Symbols) -> Batch:
    """Pad the pairs at these rows."""
    chosen = [pairs[row] for row in rows]
    source, lengths = pad_sources([pair.source for pair in chosen], symbols)
    targets = [pair.target for pair in chosen]
    sizes = torch.tensor([len(ids) + 1 for ids in targets])
    fed = _pad(targets, symbols.pad, first=symbols.bos)
    wanted = _pad(targets, symbols.pad, last=symbols.eos)
    real = torch.arange(wanted.shape[1]) < sizes[:, None]
    return Batch(source, lengths, fed, wanted, real, batch_links([pair.links for pair in chosen]))


def pad_sources(sources: Sequence[Ids], symbols: Symbols) -> tuple[Tensor, Tensor]:
    """Source sentences with their </s>: (b, s) and lengths (b,)."""
    lengths = torch.tensor([len(ids) + 1 for ids in sources])
    return _pad(sources, symbols.pad, last=symbols.eos), lengths


def pad_texts(texts: Sequence[Ids], symbols: Symbols) -> tuple[Tensor, Tensor]:
    """Texts as they are, without symbols around them: (b, s) and lengths (b,)."""
    return _pad(texts, symbols.pad), torch.tensor([len(ids) for ids in texts])


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


def even_batches(rows: Sequence[int], lengths: Sequence[int], *, most: int) -> Iterator[list[int]]:
    """Rows in batches of at most `most`, longest first, nearly all of them of one length.

    Those of one length are shared out evenly; lengths with too few rows for half a batch stand together. Of
    1,000 captions in batches of 32, 16 of 32 batches needed padding, and 3 of 39 do so here: reading them
    takes 3 to 8 % less time, for attention then has nothing to mask and words need not be moved.
    """
    few: list[int] = []
    for _, group in groupby(sorted(rows, key=lambda row: -lengths[row]), key=lengths.__getitem__):
        alike = list(group)
        if 2 * len(alike) < most:
            few += alike
            continue
        yield from _shared_out(few, most)
        few = []
        yield from _shared_out(alike, most)
    yield from _shared_out(few, most)


def _shared_out(rows: list[int], most: int) -> Iterator[list[int]]:
    """In as few parts as can be, of like size."""
    count = -(-len(rows) // most)
    for part in range(count):
        yield rows[len(rows) * part // count : len(rows) * (part + 1) // count]


def _pad(rows: Sequence[Ids], pad: int, *, first: int | None = None, last: int | None = None) -> Tensor:
    """The rows side by side, each with a symbol before or after it, or with none."""
    before, after = first is not None, last is not None
    padded = np.full((len(rows), max(map(len, rows)) + before + after), pad, dtype=np.int64)
    for place, row in enumerate(rows):
        end = before + len(row)
        padded[place, before:end] = row
        if first is not None:
            padded[place, 0] = first
        if last is not None:
            padded[place, end] = last
    return torch.from_numpy(padded)
