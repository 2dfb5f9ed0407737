"""The interface of token classifiers: emission scores for each word, and how they become tags."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn

from regard.nn.attention_kinds import AttentionSpec
from regard.nn.dropout import DropoutRng
from regard.nn.masks import padding_mask
from regard.nn.trace import Trace


@dataclass(frozen=True, slots=True)
class CharacterBatch:
    """The characters of every word of a batch, sentence after sentence, without padding between them."""

    characters: Tensor
    """(n, c), ids."""
    lengths: Tensor
    """(n,), at least 1; what comes after does not matter."""


@dataclass(frozen=True, slots=True)
class WordBatch:
    """A padded batch of sentences of one word or more."""

    tokens: Tensor
    """(b, t), ids of the words; for a subword model, (b, p), ids of the pieces."""
    lengths: Tensor
    """(b,), words of each sentence."""
    spelling: CharacterBatch | None = None
    """For a model with character embeddings."""
    pieces: Tensor | None = None
    """(b, t), how many pieces each word has, 0 in padding; None where a word is one token."""

    def to(self, device: torch.device) -> "WordBatch":
        """The same on another device."""
        spelt = self.spelling
        moved = spelt and CharacterBatch(spelt.characters.to(device), spelt.lengths.to(device))
        pieces = None if self.pieces is None else self.pieces.to(device)
        return WordBatch(self.tokens.to(device), self.lengths.to(device), moved, pieces)


class TagDecoder(Protocol):
    """How emission scores, (b, t, l), of which the first (b,) words are real, become labels.

    A `CRF` is one; so are `SoftmaxTagDecoder`.
    """

    def log_likelihood(self, scores: Tensor, labels: Tensor, lengths: Tensor) -> Tensor:
        """log p(y) of given label sequences, (b, t) -> (b,)."""
        ...

    def marginals(self, scores: Tensor, lengths: Tensor) -> Tensor:
        """p(y_t) of each word, (b, t, l); 0 in padding."""
        ...

    def decode(self, scores: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """The most probable label sequence, (b, t), -1 in padding, and its score, (b,)."""
        ...


class TokenClassifier(Protocol):
    """A model that scores the labels of each word."""

    source_vocab_params: tuple[str, ...]
    """Names of the vocabulary-sized parameters; the word embeddings first."""
    labelling: TagDecoder

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """Every attention by its dotted path; lower layers first."""
        ...

    def __call__(
        self, words: WordBatch, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> Tensor:
        """Emission scores of each word, (b, t, l)."""
        ...


class SoftmaxTagDecoder(nn.Module):
    """p(y) = ∏_t softmax(e_t)[y_t]: a CRF without transitions."""

    def log_likelihood(self, scores: Tensor, labels: Tensor, lengths: Tensor) -> Tensor:
        """log p(y) of given label sequences, (b, t) -> (b,); labels in padding do not matter."""
        real = padding_mask(lengths, scores.shape[1])
        chosen = labels.masked_fill(~real, 0)[:, :, None]
        each = scores.log_softmax(-1).gather(2, chosen).squeeze(2)
        return torch.where(real, each, 0.0).sum(1)

    def marginals(self, scores: Tensor, lengths: Tensor) -> Tensor:
        """p(y_t) of each word, (b, t, l); 0 in padding."""
        real = padding_mask(lengths, scores.shape[1])
        return scores.softmax(-1).masked_fill(~real[..., None], 0.0)

    @torch.no_grad()
    def decode(self, scores: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """The most probable label sequence, (b, t), -1 in padding, and its score, (b,)."""
        real = padding_mask(lengths, scores.shape[1])
        highest, labels = scores.max(-1)
        return labels.masked_fill(~real, -1), highest.masked_fill(~real, 0.0).sum(1)
