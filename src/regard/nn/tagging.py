"""What a task needs of a model that says one thing of each word; and nothing more."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from regard.nn.kinds import Site
from regard.nn.noise import Noise
from regard.nn.trace import Trace


@dataclass(frozen=True, slots=True)
class Spelling:
    """The characters of every word of a batch, sentence after sentence, without padding between them."""

    characters: Tensor
    """(n, c), ids."""
    lengths: Tensor
    """(n,), at least 1; what comes after does not matter."""


@dataclass(frozen=True, slots=True)
class Words:
    """A padded batch of sentences of one word or more."""

    tokens: Tensor
    """(b, t), ids of the words; where these are read in pieces, (b, p), ids of the pieces."""
    lengths: Tensor
    """(b,), words of each sentence."""
    spelling: Spelling | None = None
    """For a model that reads characters."""
    pieces: Tensor | None = None
    """(b, t), how many pieces each word has, 0 in padding; None where a word is one token."""

    def to(self, device: torch.device) -> "Words":
        """The same on another device."""
        spelt = self.spelling
        moved = spelt and Spelling(spelt.characters.to(device), spelt.lengths.to(device))
        pieces = None if self.pieces is None else self.pieces.to(device)
        return Words(self.tokens.to(device), self.lengths.to(device), moved, pieces)


class Labelling(Protocol):
    """How scores of each word's labels, (b, t, l), of which the first (b,) words are real, become labels.

    A `CRF` is one; so are `IndependentLabels`.
    """

    def log_likelihood(self, scores: Tensor, labels: Tensor, lengths: Tensor) -> Tensor:
        """log p(y) of given labellings, (b, t) -> (b,)."""
        ...

    def marginals(self, scores: Tensor, lengths: Tensor) -> Tensor:
        """p(y_t) of each word, (b, t, l); 0 in padding."""
        ...

    def decode(self, scores: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """The most probable labelling, (b, t), -1 in padding, and its score, (b,)."""
        ...


class WordScorer(Protocol):
    """Anything that reads sentences, and scores the labels of each word."""

    source_rows: tuple[str, ...]
    """Names of the parameters that have a row for each entry of the vocabulary; the word vectors first."""
    labelling: Labelling

    @property
    def attentions(self) -> Mapping[str, Site]:
        """Every attention by its dotted path; lower layers first."""
        ...

    def __call__(self, words: Words, *, noise: Noise | None = None, trace: Trace | None = None) -> Tensor:
        """Scores of the labels of each word, (b, t, l)."""
        ...
