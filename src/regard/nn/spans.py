"""Where an answer starts and ends: what a task needs of a model that finds answers in texts; and the best."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from regard.nn.deciding import Padded
from regard.nn.kinds import Site
from regard.nn.noise import Noise
from regard.nn.trace import Trace


@dataclass(frozen=True, slots=True)
class SpanLogits:
    """Scores of every place of a text as the first and as the last of an answer; place 0 is no answer."""

    start: Tensor
    """(b, 1 + s), -inf beyond the text."""
    end: Tensor
    """(b, 1 + s), likewise."""

    def without(self, places: Tensor) -> "SpanLogits":
        """The same, where no answer begins or ends at some places, (b, 1 + s), True = not there."""
        return SpanLogits(*(side.masked_fill(places, -torch.inf) for side in (self.start, self.end)))

    def log_likelihood(self, places: Tensor) -> Tensor:
        """log p(start) + log p(end) of answers, (b, 2) -> (b,)."""
        starts, ends = (side.log_softmax(dim=-1) for side in (self.start, self.end))
        return (starts.gather(1, places[:, :1]) + ends.gather(1, places[:, 1:])).squeeze(1)


class SpanFinder(Protocol):
    """Anything that reads questions and texts together, and scores where answers start and end.

    However long a text is, it is read whole: one that does not fit is read in windows that overlap, the
    question before each of them.
    """

    source_rows: tuple[str, ...]
    """Names of the parameters that have a row for each entry of the vocabulary; the word vectors first."""

    @property
    def attentions(self) -> Mapping[str, Site]:
        """Every attention by its dotted path; lower layers first."""
        ...

    @property
    def most_of_a_question(self) -> int:
        """Tokens of the longest question."""
        ...

    def room(self, question: int) -> int:
        """How many tokens of a text are read at once beside a question of so many."""
        ...

    def __call__(
        self, question: Padded, text: Padded, *, noise: Noise | None = None, trace: Trace | None = None
    ) -> SpanLogits:
        """Read questions and texts of one word or more, (b, q) and (b, s)."""
        ...
