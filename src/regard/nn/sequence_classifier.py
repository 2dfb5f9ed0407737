"""The interface of sequence classifiers: models that give logits for a text, or for a pair of texts."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import torch
from torch import Tensor, nn

from regard.errors import ShapeError
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.dropout import DropoutRng
from regard.nn.trace import Trace


class PaddedTokens(NamedTuple):
    """The texts of a batch."""

    tokens: Tensor
    """(b, s), without special tokens; a model that wants some adds its own."""
    lengths: Tensor
    """(b,), one word or more each."""


@dataclass(frozen=True, slots=True)
class ClassifierOutput:
    """The logits of each text, or of each pair of texts, of a batch."""

    logits: Tensor
    """(b, outputs)."""
    penalty: Tensor | None = None
    """(b,), added to the loss of a text."""


@dataclass(frozen=True, slots=True)
class SpecialTokens:
    """The special tokens that a model adds to a text: [CLS] and [SEP] of BERT."""

    first: int
    last: int
    longest: int
    """Maximum sequence length, special tokens included."""
    separators: int = 1
    """How often `last` stands between the two texts of a pair."""

    def symbols(self, texts: int) -> int:
        """How many special tokens so many texts get: one before, one behind each, and more between two."""
        return 1 + texts + (self.separators - 1) * (texts - 1)

    def around(self, text: PaddedTokens, second: PaddedTokens | None = None) -> tuple[PaddedTokens, Tensor]:
        """Texts with special tokens, (b, s), and the segment ids, (b, s); pairs as one sequence."""
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
        return PaddedTokens(framed.masked_fill(places == 0, self.first), lengths), segments.long()


def special_tokens_of(model: object) -> SpecialTokens | None:
    """The special tokens of a model that adds some: an optional part of `SequenceClassifier`."""
    frame: SpecialTokens | None = getattr(model, "frame", None)
    return frame


class SequenceClassifier(Protocol):
    """A model that gives logits for each text, or pair of texts.

    A text is never truncated: a model with a maximum length, which it states as `window`, encodes a longer
    one in overlapping windows.
    """

    source_vocab_params: tuple[str, ...]
    """Names of the vocabulary-sized parameters; the word embeddings first."""

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """Every attention by its dotted path; lower layers first."""
        ...

    def __call__(
        self,
        tokens: Tensor,
        lengths: Tensor,
        *,
        second: PaddedTokens | None = None,
        rng: DropoutRng | None = None,
        trace: Trace | None = None,
    ) -> ClassifierOutput:
        """Classify texts of one word or more, (b, s) and (b,); second: the other texts of pairs."""
        ...


class TextClassifier(nn.Module, ABC):
    """A sequence classifier for rows of one text or, by its `texts`, of two."""

    texts: int

    def forward(
        self,
        tokens: Tensor,
        lengths: Tensor,
        *,
        rng: DropoutRng | None = None,
        trace: Trace | None = None,
        second: PaddedTokens | None = None,
    ) -> ClassifierOutput:
        """Classify texts, (b, s) and (b,), or pairs of them: logits, (b, outputs)."""
        if (second is not None) != (self.texts == 2):
            raise ShapeError(f"expected {'one text' if self.texts == 1 else 'two texts'} in each row")
        return self.classify(PaddedTokens(tokens, lengths), second, rng, trace)

    @abstractmethod
    def classify(
        self, text: PaddedTokens, second: PaddedTokens | None, rng: DropoutRng | None, trace: Trace | None
    ) -> ClassifierOutput:
        """The same, of as many texts a row as the model is for."""
