"""From subword tokens to words, by one stated rule.

Sum over source pieces, mean over target pieces: a word was looked at as much as its pieces together, and
was written while looking as its pieces did on average. So each row still sums to what it summed to.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from regard.insight.maps import Weights
from regard.text.normalise import Span
from regard.text.words import word_spans


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a map: a text, its tokens, and the special symbols after them."""

    text: str
    pieces: tuple[str, ...]
    spans: tuple[Span, ...]
    """The characters of `text` that each token covers."""
    specials: tuple[str, ...] = ("</s>",)

    @property
    def tokens(self) -> tuple[str, ...]:
        """Labels of all positions, token by token."""
        return (*self.pieces, *self.specials)

    @property
    def words(self) -> tuple[str, ...]:
        """Labels of all positions, word by word."""
        return (*(self.text[start:end] for start, end in word_spans(self.text)), *self.specials)

    @property
    def word_of_token(self) -> tuple[int, ...]:
        """The word that each token belongs to, by place; a token that is only a space goes to the next."""
        words = word_spans(self.text)
        places, current = [], 0
        for start, end in self.spans:
            while current + 1 < len(words) and words[current + 1][0] < end and words[current][1] <= start:
                current += 1
            behind = bool(words) and words[current][1] <= start and current + 1 < len(words)
            places.append(current + 1 if behind else current)
        return (*places, *(len(words) + i for i in range(len(self.specials))))


def merge_to_words(weights: Weights, target: Side, source: Side) -> Weights:
    """(target tokens, source tokens) -> (target words, source words)."""
    by_source = weights @ _membership(source.word_of_token, len(source.words))
    members = _membership(target.word_of_token, len(target.words))
    pieces = np.maximum(members.sum(axis=0), 1.0)
    merged: Weights = (members.T @ by_source) / pieces[:, None]
    return merged


def _membership(word_of_token: Sequence[int], words: int) -> Weights:
    members = np.zeros((len(word_of_token), words), dtype=np.float32)
    members[np.arange(len(word_of_token)), list(word_of_token)] = 1.0
    return members
