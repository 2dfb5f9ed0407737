"""The interface of text embedders: models that give a vector for a text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from torch import Tensor

from regard.nn.attention_kinds import AttentionSpec
from regard.nn.dropout import DropoutRng
from regard.nn.embedding_loss import PairClassifier
from regard.nn.pooling import EncoderStates, Pooled, Pooling
from regard.nn.trace import Trace


@dataclass(frozen=True, slots=True)
class EmbedderOutput:
    """The texts of a batch."""

    vectors: Tensor
    """(b, width)."""
    penalty: Tensor | None = None
    """(b,), added to the loss of a text."""


class TextEmbedder(Protocol):
    """A model that embeds texts of any length."""

    source_vocab_params: tuple[str, ...]
    """Names of the vocabulary-sized parameters; the word embeddings first."""
    width: int
    """Size of an embedding."""
    pooling: Pooling
    """Pools the states of words to a vector."""
    relation: PairClassifier | None
    """The classifier of pairs of vectors, where one is trained."""

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """Every attention by its dotted path; lower layers first."""
        ...

    def read(self, tokens: Tensor, lengths: Tensor) -> EncoderStates:
        """The contextual states of the words of texts, (b, s) and (b,)."""
        ...

    def pooled(
        self, tokens: Tensor, lengths: Tensor, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> Pooled:
        """Pooled texts, (b, s) and (b,) -> (b, r, d)."""
        ...

    def __call__(
        self, tokens: Tensor, lengths: Tensor, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> EmbedderOutput:
        """Embed texts of one word or more, (b, s) and (b,), without special tokens."""
        ...
