"""Texts beyond the maximum length: overlapping windows, and the states of all their words.

Of two windows that overlap, each gives the words that are further from its own edge, so that every word has
context on both sides. The whole text is pooled once, as a short one is.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

TOGETHER = 16
"""Windows in one batch: memory does not grow with the text."""


class Window(NamedTuple):
    """A span of the words of a text that is encoded, and the part of it whose states are kept."""

    start: int
    end: int
    first: int
    last: int
    """One after the last that is kept."""


def sliding_windows(length: int, size: int) -> list[Window]:
    """Windows of at most `size` words, each a quarter of that into the one before it."""
    overlap = size // 4
    starts = range(0, max(1, length - overlap), size - overlap)
    ends = [min(start + size, length) for start in starts]
    borders = [start + overlap // 2 for start in starts[1:]]
    return [Window(*own) for own in zip(starts, ends, [0, *borders], [*borders, length], strict=True)]


class WindowedStates(NamedTuple):
    """The states of texts that were encoded in windows."""

    states: Tensor
    """(b, s, d), of every word."""
    ends: Tensor
    """(w, d'), a vector of each window as a whole; the windows of a text stand together."""
    counts: Tensor
    """(b,), how many windows each text has."""
    words: Tensor
    """(w,), how many words of its text each window gave; each word is given once."""

    @property
    def first(self) -> Tensor:
        """(b, d'), of the first window of each text."""
        return self.ends[self.counts.cumsum(0) - self.counts]

    @property
    def last(self) -> Tensor:
        """(b, d'), of the last window of each text."""
        return self.ends[self.counts.cumsum(0) - 1]

    def mean(self, values: Tensor, *, by_words: bool = False) -> Tensor:
        """The mean over the windows of each text, (w, n) -> (b, n).

        by_words: a window counts as often as it gave words
        """
        owners = torch.arange(len(self.counts), device=values.device).repeat_interleave(self.counts)
        times = (self.words if by_words else torch.ones_like(self.words)).to(values.dtype)
        sums = values.new_zeros(len(self.counts), values.shape[1]).index_add(
            0, owners, values * times[:, None]
        )
        return sums / times.new_zeros(len(self.counts)).index_add(0, owners, times)[:, None]


def encode_in_windows(
    encode: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]], words: Tensor, lengths: Tensor, *, size: int
) -> WindowedStates:
    """Encode texts of any length, (b, s, d) and (b,), in windows of at most `size` words.

    encode: of windows, (w, size, d) and (w,); gives the states of their words, and a vector of each window
    """
    cut = [sliding_windows(length, size) for length in lengths.tolist()]
    every = [(row, window) for row, own in enumerate(cut) for window in own]
    read = words.new_zeros(len(every), size, words.shape[2])
    for place, (row, window) in enumerate(every):
        read[place, : window.end - window.start] = words[row, window.start : window.end]
    sizes = torch.tensor([window.end - window.start for _, window in every], device=lengths.device)
    parts = [
        encode(read[first : first + TOGETHER], sizes[first : first + TOGETHER])
        for first in range(0, len(every), TOGETHER)
    ]
    states, ends = (torch.cat(both) for both in zip(*parts, strict=True))
    whole = states.new_zeros(*words.shape[:2], states.shape[2])
    for place, (row, own) in enumerate(every):
        whole[row, own.first : own.last] = states[place, own.first - own.start : own.last - own.start]
    counts = torch.tensor([len(own) for own in cut], device=lengths.device)
    given = torch.tensor([window.last - window.first for _, window in every], device=lengths.device)
    return WindowedStates(whole, ends, counts, given)
