"""Pooling: from the states of words to a sentence vector, or one for each hop."""

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn

from regard.config.sentence import AttentionPoolingConfig, PoolingConfig, StructuredPoolingConfig
from regard.nn.attention import masked_softmax
from regard.nn.linear import Linear
from regard.nn.scores import Explained
from regard.nn.trace import AttentionInputs, Trace


@dataclass(frozen=True, slots=True)
class EncoderStates:
    """The encoder output of a batch of sentences."""

    words: Tensor
    """(b, s, d)."""
    last: Tensor
    """(b, d), the last state of each direction side by side."""
    mask: Tensor
    """(b, s), True for real words; each sentence has one or more."""


@dataclass(frozen=True, slots=True)
class Pooled:
    """Sentences."""

    vectors: Tensor
    """(b, r, d): one row, or one for each hop."""
    penalty: Tensor | None = None
    """(b,), added to the loss of a sentence."""


class Pooling(Protocol):
    """Pools words to sentences."""

    def __call__(self, states: EncoderStates, *, trace: Trace | None = None) -> Pooled:
        """Pool the words of each sentence."""
        ...


class MaxPooling(nn.Module):
    """The largest value of each feature (Collobert and Weston 2008)."""

    def forward(self, states: EncoderStates, *, trace: Trace | None = None) -> Pooled:
        """Pool the words of each sentence: (b, 1, d)."""
        del trace  # nothing here attends
        lowest = torch.finfo(states.words.dtype).min
        return Pooled(states.words.masked_fill(~states.mask[:, :, None], lowest).amax(1, keepdim=True))


class MeanPooling(nn.Module):
    """The mean of the words."""

    def forward(self, states: EncoderStates, *, trace: Trace | None = None) -> Pooled:
        """Pool the words of each sentence: (b, 1, d)."""
        del trace
        real = states.mask.to(states.words.dtype)
        return Pooled((real / real.sum(1, keepdim=True).clamp(min=1))[:, None] @ states.words)


class FirstPooling(nn.Module):
    """The first token: [CLS] of BERT."""

    def forward(self, states: EncoderStates, *, trace: Trace | None = None) -> Pooled:
        """Pool the words of each sentence: (b, 1, d)."""
        del trace
        return Pooled(states.words[:, :1])


class LastPooling(nn.Module):
    """The last state of each direction: →h at the last word, ←h at the first."""

    def forward(self, states: EncoderStates, *, trace: Trace | None = None) -> Pooled:
        """Pool the words of each sentence: (b, 1, d)."""
        del trace
        return Pooled(states.last[:, None])


class StructuredSelfAttention(nn.Module):
    """A = softmax(W₂ tanh(W₁ Hᵀ)) over the words, a row for each of r hops; M = A H (Lin et al. 2017).

    Self-attention with learned queries: the r queries are the rows of W₂, the same for every
    sentence. With one hop it is the usual additive attention with one learned query.
    """

    def __init__(self, *, state_size: int, hidden_size: int, hops: int, penalty: float = 0.0) -> None:
        super().__init__()
        self.first = Linear(state_size, hidden_size, bias=False)  # W₁
        self.second = Linear(hidden_size, hops, bias=False)  # W₂
        self.penalty = penalty

    def forward(self, states: EncoderStates, *, trace: Trace | None = None) -> Pooled:
        """Pool the words of each sentence: (b, r, d), and the penalty of redundant hops."""
        keys = self.first(states.words).tanh()  # (b, s, d_a)
        mask = states.mask[:, None]
        weights = masked_softmax(self.second(keys).mT, mask)  # (b, r, s)
        if trace is not None:
            queries = self.second.weight.expand(len(keys), -1, -1)
            weights = trace.capture(self, weights, AttentionInputs(queries, keys, states.words, mask))
        penalty = self.penalty * redundancy(weights) if self.penalty else None
        return Pooled(weights @ states.words, penalty)

    def explain(self, query: Tensor, prepared: Tensor) -> Explained:
        """How the query of one hop, (d_a,), was compared with the words, (k, d_a)."""
        terms = {"w": query, "tanh(W₁ h)": prepared}
        return Explained("e_j = w · tanh(W₁ h_j), w a row of W₂", terms, query * prepared)


def redundancy(weights: Tensor) -> Tensor:
    """‖A Aᵀ − I‖²_F: 0 where each hop attends to one word, and no two to the same. (b, r, s) -> (b,)."""
    overlap = weights @ weights.mT
    return (overlap - torch.eye(overlap.shape[-1], device=overlap.device)).square().sum((-2, -1))


def build_pooling(config: PoolingConfig, *, state_size: int) -> Pooling:
    """The pooling that the settings name, for states of this width."""
    match config:
        case AttentionPoolingConfig():
            return StructuredSelfAttention(state_size=state_size, hidden_size=config.hidden_size, hops=1)
        case StructuredPoolingConfig():
            return StructuredSelfAttention(
                state_size=state_size,
                hidden_size=config.hidden_size,
                hops=config.hops,
                penalty=config.penalty,
            )
        case _:
            return {"max": MaxPooling, "mean": MeanPooling, "last": LastPooling}[config.kind]()
