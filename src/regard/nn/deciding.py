"""What a task needs of a model that reads a sentence and decides; and nothing more."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from torch import Tensor

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
