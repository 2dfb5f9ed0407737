"""Which tokens of a sequence are masked, and what replaces them (Devlin et al. 2018)."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regard.config.masked_language_model import ObjectiveConfig
from regard.text.symbols import SPACE
from regard.text.tokenizer import Tokenizer
from regard.text.words import is_punctuation

Ints = NDArray[np.integer[Any]]
Heads = Callable[[Ints], NDArray[np.bool_]]


class MaskingVocabulary(NamedTuple):
    """What masking must know of a vocabulary."""

    size: int
    mask: int
    """The entry of the mask."""
    special: int
    """Entries before this one are no words."""

    def are_words(self, ids: Ints) -> NDArray[np.bool_]:
        """True where an entry is a word, or a piece of one."""
        words: NDArray[np.bool_] = (ids >= self.special) & (ids != self.mask)
        return words

    def draw(self, rng: np.random.Generator, count: int) -> Ints:
        """Random words, each as probable as the others."""
        drawn = rng.integers(self.special, self.size - 1, count)
        return drawn + (drawn >= self.mask)


class MaskedTokens(NamedTuple):
    """A sequence with some of its tokens masked."""

    tokens: Ints
    """(t,), what is read."""
    places: Ints
    """(n,), the positions to predict."""
    right: Ints
    """(n,), the right tokens."""


def next_tokens(tokens: Ints, entries: MaskingVocabulary) -> MaskedTokens:
    """Every token is predicted from those before it; nothing is masked."""
    places = np.flatnonzero(entries.are_words(tokens[1:]))
    return MaskedTokens(tokens, places, tokens[places + 1])


def mask_tokens(
    tokens: Ints,
    rng: np.random.Generator,
    objective: ObjectiveConfig,
    entries: MaskingVocabulary,
    heads: Heads | None = None,
) -> MaskedTokens:
    """Mask some tokens of a sequence, (t,); special ones are left alone.

    heads: says where words begin, for those who choose whole words
    """
    places = np.flatnonzero(entries.are_words(tokens))
    units = np.arange(len(places)) if heads is None else np.cumsum(heads(tokens)[places]) - 1
    if heads is not None and len(units):
        units -= units[0]  # a word whose head is not to be chosen begins with what is left of it
    draws = rng.random(int(units[-1]) + 1 if len(units) else 0)
    chosen = draws < objective.share
    if len(draws) and not chosen.any():
        chosen[draws.argmin()] = True
    places = places[chosen[units]]
    right = tokens[places]
    fate = rng.random(len(places))
    put = np.where(
        fate < objective.masked,
        entries.mask,
        np.where(fate < objective.masked + objective.random, entries.draw(rng, len(places)), right),
    )
    read = tokens.copy()
    read[places] = put
    return MaskedTokens(read, places, right)


Bools = NDArray[np.bool_]


class WordStarts:
    """Word starts by the vocabulary: a sign of a space begins a word, and punctuation is one by itself."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        pieces = [tokenizer.piece(number) for number in range(len(tokenizer))]
        bare = [piece.removeprefix(SPACE) for piece in pieces]
        marks = [bool(text) and is_punctuation(text[0]) for text in bare]
        self._alone: Bools = np.array(marks)
        self._heads: Bools = np.array([piece.startswith(SPACE) for piece in pieces]) | self._alone

    def __call__(self, ids: NDArray[np.integer[Any]]) -> Bools:
        """True where a word begins, (t,) -> (t,)."""
        begins: Bools = self._heads[ids]
        begins[1:] |= self._alone[ids[:-1]]
        begins[:1] = True
        return begins
