"""The best spans of a text: a start, an end that is not before it, and no more tokens than may be."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from regard.metrics.statistics import Floats


class Span(NamedTuple):
    """A run of tokens, counted from 1, and how probable it is among all that may be; (0, 0) is none."""

    first: int
    last: int
    probability: float


@dataclass(frozen=True)
class SpanScores:
    """Start and end scores of positions in a text, 0 for no answer; -inf where no answer may begin or end.

    The score of a span is the sum of its start and of its end; its probability is the softmax of the scores
    of all spans that may be.
    """

    start: Floats
    """(1 + s,)."""
    end: Floats
    """(1 + s,)."""
    longest: int
    """Tokens of the longest span."""

    def best(self, top: int = 1) -> list[Span]:
        """The most probable spans, best first; of equals, the one that begins first, then the shorter."""
        every, total = self._every()
        if total == -np.inf:  # there is no word
            return []
        order = np.argsort(-every, kind="stable")[:top].tolist()
        found = [(*self._places(at), float(np.exp(every[at] - total))) for at in order if every[at] > -np.inf]
        return [Span(*one) for one in found]

    def probability(self, first: int, last: int) -> float:
        """Of one span; 0 if it may not be."""
        if not self._may_be(first, last):
            return 0.0
        return float(np.exp(self.start[first] + self.end[last] - self._every()[1]))

    def choices(self, first: int, last: int) -> tuple[Floats, int] | None:
        """The scores of all candidates, and which of them is a span; None if that one may not be, or
        nothing else."""
        if not self._may_be(first, last):
            return None
        every, _ = self._every()
        at = 0 if first == 0 else 1 + (first - 1) * self._longest + last - first
        possible = np.isfinite(every)
        if not possible[at] or possible.sum() < 2:
            return None
        return every[possible], int(possible[:at].sum())

    def _may_be(self, first: int, last: int) -> bool:
        within = first <= last < first + self.longest and last < len(self.end)
        return within and (first == 0) == (last == 0)

    @property
    def _longest(self) -> int:
        """No span is longer than its text, and what is scored grows with the longest."""
        return min(self.longest, len(self.end) - 1)

    def _every(self) -> tuple[Floats, float]:
        """The scores of no answer and of all spans, and the logarithm of their sum."""
        ends = np.pad(self.end[1:], (0, self._longest - 1), constant_values=-np.inf)
        spans = self.start[1:, None] + sliding_window_view(ends, self._longest)
        every: Floats = np.concatenate([self.start[:1] + self.end[:1], spans.ravel()])
        highest = float(every.max())
        if highest == -np.inf:
            return every, highest
        return every, highest + float(np.log(np.exp(every - highest).sum()))

    def _places(self, at: int) -> tuple[int, int]:
        if at == 0:
            return 0, 0
        first, more = divmod(at - 1, self._longest)
        return first + 1, first + 1 + more
