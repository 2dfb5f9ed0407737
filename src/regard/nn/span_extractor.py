"""The interface of span extractors: start and end logits of the answer to a question."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from regard.nn.attention_kinds import AttentionSpec
from regard.nn.dropout import DropoutRng
from regard.nn.sequence_classifier import PaddedTokens
from regard.nn.trace import Trace


class QuestionBatch(NamedTuple):
    """Questions, and the texts that have their answers; one word or more each."""

    question: PaddedTokens
    """(b, q) and (b,)."""
    text: PaddedTokens
    """(b, s) and (b,)."""


@dataclass(frozen=True, slots=True)
class SpanLogits:
    """Logits of every position as the start and as the end of an answer; position 0 is no answer."""

    start: Tensor
    """(b, 1 + s), -inf beyond the text."""
    end: Tensor
    """(b, 1 + s), likewise."""

    def without(self, places: Tensor) -> "SpanLogits":
        """The same, with some positions masked, (b, 1 + s), True = no answer begins or ends there."""
        return SpanLogits(*(side.masked_fill(places, -torch.inf) for side in (self.start, self.end)))

    def log_likelihood(self, places: Tensor) -> Tensor:
        """log p(start) + log p(end) of answers, (b, 2) -> (b,)."""
        starts, ends = (side.log_softmax(dim=-1) for side in (self.start, self.end))
        return (starts.gather(1, places[:, :1]) + ends.gather(1, places[:, 1:])).squeeze(1)


class SpanExtractor(Protocol):
    """A model that scores where the answer to a question starts and ends in a text.

    A text is never truncated: one that does not fit is encoded in overlapping windows, the question before
    each of them.
    """

    source_vocab_params: tuple[str, ...]
    """Names of the vocabulary-sized parameters; the word embeddings first."""

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """Every attention by its dotted path; lower layers first."""
        ...

    @property
    def max_question_tokens(self) -> int:
        """Tokens of the longest question."""
        ...

    def room(self, question: int) -> int:
        """The window size beside a question of so many tokens."""
        ...

    def __call__(
        self, batch: QuestionBatch, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> SpanLogits:
        """Logits for questions and their texts."""
        ...
