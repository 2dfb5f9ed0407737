"""What the rest of regard asks of a network that makes vectors of texts, whatever it is made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from torch import Tensor

from regard.nn.kinds import Site
from regard.nn.noise import Noise
from regard.nn.objective import Relation
from regard.nn.pooling import Pooled, Pooling, States
from regard.nn.trace import Trace


@dataclass(frozen=True, slots=True)
class Embedded:
    """The texts of a batch."""

    vectors: Tensor
    """(b, width)."""
    penalty: Tensor | None = None
    """(b,), what the model adds to the loss of a text."""


class Embedding(Protocol):
    """Anything that reads texts and makes a vector of each, however long it is."""

    source_rows: tuple[str, ...]
    """Names of the parameters that have a row for each entry of the vocabulary; the word vectors first."""
    width: int
    """Numbers of a vector."""
    pooling: Pooling
    """What makes a vector of words."""
    relation: Relation | None
    """Which label two vectors have, where that is learned."""

    @property
    def attentions(self) -> Mapping[str, Site]:
        """Every attention by its dotted path; lower layers first."""
        ...

    def read(self, tokens: Tensor, lengths: Tensor) -> States:
        """The words of texts, (b, s) and (b,), each with what stands beside it."""
        ...

    def pooled(
        self, tokens: Tensor, lengths: Tensor, *, noise: Noise | None = None, trace: Trace | None = None
    ) -> Pooled:
        """Texts, (b, s) and (b,), as rows of vectors, (b, r, d)."""
        ...

    def __call__(
        self, tokens: Tensor, lengths: Tensor, *, noise: Noise | None = None, trace: Trace | None = None
    ) -> Embedded:
        """Read texts of one word or more, (b, s) and (b,), without symbols around them."""
        ...
