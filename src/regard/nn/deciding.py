"""What a task needs of a model that reads a text, or two, and decides; and nothing more."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

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
