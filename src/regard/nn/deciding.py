"""What a task needs of a model that reads a sentence and decides; and nothing more."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from torch import Tensor, nn

from regard.nn.kinds import Site
from regard.nn.noise import Noise
from regard.nn.trace import Trace


@dataclass(frozen=True, slots=True)
class Decided:
    """What a model says of each sentence of a batch."""

    logits: Tensor
    """(b, outputs)."""
    penalty: Tensor | None = None
    """(b,), what the model adds to the loss of a sentence."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The symbols that a model puts around a text of its own accord."""

    first: int
    last: int
    longest: int
    """Tokens that the model reads at once, the two counted."""

    def around(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Texts, (b, s), with their symbols, (b, s + 2); what is behind them is left as it is."""
        framed = nn.functional.pad(tokens, (1, 1))
        framed[:, 0] = self.first
        return framed.scatter(1, lengths[:, None] + 1, self.last)


def frame_of(model: object) -> Frame | None:
    """The frame of a model that has one: it is a part of `Decider` that most do without."""
    frame: Frame | None = getattr(model, "frame", None)
    return frame


class Decider(Protocol):
    """Anything that reads sentences, and says one thing about each."""

    source_rows: tuple[str, ...]
    """Names of the parameters that have a row for each entry of the vocabulary; the word vectors first."""

    @property
    def attentions(self) -> Mapping[str, Site]:
        """Every attention by its dotted path; lower layers first."""
        ...

    def __call__(
        self, tokens: Tensor, lengths: Tensor, *, noise: Noise | None = None, trace: Trace | None = None
    ) -> Decided:
        """Read sentences of one word or more, (b, s) and (b,)."""
        ...
