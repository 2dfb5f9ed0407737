"""The interface of text embedders, models that give a vector for a text; and their losses."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn
from torch.nn.functional import cosine_similarity, cross_entropy, normalize

from regard.errors import ShapeError
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.dropout import DropoutRng
from regard.nn.linear import Linear
from regard.nn.pooling import EncoderStates, Pooled, Pooling
from regard.nn.trace import Trace


def in_batch_loss(
    first: Tensor,
    second: Tensor,
    negatives: Tensor | None = None,
    *,
    scale: float = 20.0,
    both_ways: bool = True,
    against: Tensor | None = None,
) -> Tensor:
    """In-batch negatives: cross-entropy of each text's partner among those of the batch, summed over rows.

    first, second: (b, d), row i of the one belongs to row i of the other
    negatives:     (n, d), hard negatives, beside the seconds
    against:       (b, b + n), True where a text is a negative; by default all but the partner are
    """
    if first.shape != second.shape:
        raise ShapeError(f"expected as many firsts as seconds, found {len(first)} and {len(second)}")
    one, other = normalize(first, dim=-1), normalize(second, dim=-1)
    found = other if negatives is None else torch.cat([other, normalize(negatives, dim=-1)])
    right = torch.arange(len(first), device=first.device)
    partner = torch.eye(len(first), len(found), dtype=torch.bool, device=first.device)
    shown = torch.ones_like(partner) if against is None else against | partner
    logits = (scale * one @ found.T).masked_fill(~shown, -torch.inf)
    loss = cross_entropy(logits, right, reduction="sum")
    if not both_ways:
        return loss
    back = (scale * other @ one.T).masked_fill(~shown[:, : len(first)].T, -torch.inf)
    return (loss + cross_entropy(back, right, reduction="sum")) / 2


def cosine_loss(first: Tensor, second: Tensor, wanted: Tensor) -> Tensor:
    """The squared error of cosines against target similarities, (b, d) twice and (b,), summed over rows."""
    return (cosine_similarity(first, second) - wanted.to(first.dtype)).square().sum()


class PairClassifier(nn.Module):
    """The classifier of a pair, W [u; v; |u − v|] + b: for training alone."""

    def __init__(self, *, width: int, outputs: int) -> None:
        super().__init__()
        self.output = Linear(3 * width, outputs)

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        """(b, d) twice -> (b, outputs)."""
        logits: Tensor = self.output(torch.cat([first, second, (first - second).abs()], dim=-1))
        return logits


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
