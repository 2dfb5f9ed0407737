"""What a task needs of a model that reads a text, or two, and decides; and nothing more."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from regard.nn.kinds import Site
from regard.nn.noise import Noise
from regard.nn.trace import Trace


class Padded(NamedTuple):
    """The texts of a batch."""

    tokens: Tensor
    """(b, s), without symbols around them; a model that wants some adds its own."""
    lengths: Tensor
    """(b,), one word or more each."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What a model says of each text, or of each pair of texts, of a batch."""

    logits: Tensor
    """(b, outputs)."""
    penalty: Tensor | None = None
    """(b,), what the model adds to the loss of a text."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The symbols that a model puts around a text of its own accord."""

    first: int
    last: int
    longest: int
    """Tokens that the model reads at once, the two counted."""
    separators: int = 1
    """How often `last` stands between the two texts of a pair."""

    def symbols(self, texts: int) -> int:
        """How many there are around so many texts: one before, one behind each, and more between two."""
        return 1 + texts + (self.separators - 1) * (texts - 1)

    def around(self, text: Padded, second: Padded | None = None) -> tuple[Padded, Tensor]:
        """Texts in their symbols, (b, s), and which text each token is of, (b, s); of pairs, both as one."""
        tokens, ends, between = text.tokens, text.lengths, 1
        lengths = ends + 2
        if second is not None:
            between = self.separators
            lengths = lengths + second.lengths + between
        places = torch.arange(int(lengths.max()), device=tokens.device).expand(len(tokens), -1)
        own = places - 1
        framed = tokens.gather(1, own.clamp(0, tokens.shape[1] - 1))
        behind = ends[:, None]
        segments = (places > behind + between) & (places < lengths[:, None])
        if second is not None:
            inner = (places - behind - between - 1).clamp(0, second.tokens.shape[1] - 1)
            framed = torch.where(segments, second.tokens.gather(1, inner), framed)
        closing = (places > behind) & (places <= behind + between)
        framed = framed.masked_fill(closing | (places == lengths[:, None] - 1), self.last)
        return Padded(framed.masked_fill(places == 0, self.first), lengths), segments.long()


def frame_of(model: object) -> Frame | None:
    """The frame of a model that has one: it is a part of `Decider` that most do without."""
    frame: Frame | None = getattr(model, "frame", None)
    return frame


class Decider(Protocol):
    """Anything that reads texts, or pairs of texts, and says one thing about each.

    However long a text is, it is read whole: a model that takes so many words at once, and says so as
    `window`, reads it in windows that overlap.
    """

    source_rows: tuple[str, ...]
    """Names of the parameters that have a row for each entry of the vocabulary; the word vectors first."""

    @property
    def attentions(self) -> Mapping[str, Site]:
        """Every attention by its dotted path; lower layers first."""
        ...

    def __call__(
        self,
        tokens: Tensor,
        lengths: Tensor,
        *,
        second: Padded | None = None,
        noise: Noise | None = None,
        trace: Trace | None = None,
    ) -> Decided:
        """Read texts of one word or more, (b, s) and (b,); and what stands beside each, of a pair."""
        ...
