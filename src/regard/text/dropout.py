"""BPE-dropout (Provilkov et al. 2020): segment words again, with merges dropped at random."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from regard.text.symbols import BYTES

_REMEMBERED, _LONGEST = 1 << 16, 32
"""Words whose merges are cached: the words of a language come again and again, and looking for their
merges was two thirds of the time. What is longer is seldom seen twice, and would take much memory."""


class BPEMerges:
    """The merges of a BPE vocabulary, applied in their order; each may be dropped."""

    def __init__(self, vocabulary: Mapping[str, int], merges: Sequence[tuple[str, str]], rate: float) -> None:
        self._vocabulary = vocabulary
        self._merges = {
            (vocabulary[left], vocabulary[right]): (rank, vocabulary[left + right])
            for rank, (left, right) in enumerate(merges)
        }
        self._rate = rate
        self._letters = lru_cache(_REMEMBERED)(self._find_letters)
        self._next = lru_cache(_REMEMBERED)(self._find_next)

    def spell(self, part: str, draws: Iterator[float]) -> tuple[int, ...]:
        """The tokens of a part of a text that no token crosses.

        At each step every possible merge is dropped with probability `rate`, and the first of the others,
        by rank, then by position, is made; when all are dropped, the part is done.
        """
        tokens = self._letters(part) if len(part) <= _LONGEST else self._find_letters(part)
        while True:
            merges = self._next(tokens) if len(tokens) <= _LONGEST else self._find_next(tokens)
            for place, merged in merges:
                if next(draws) >= self._rate:  # those after it would lose anyway and need no draw
                    tokens = (*tokens[:place], merged, *tokens[place + 2 :])
                    break
            else:
                return tokens

    def _find_letters(self, part: str) -> tuple[int, ...]:
        return tuple(token for character in part for token in self._letter(character))

    def _letter(self, character: str) -> list[int]:
        known = self._vocabulary.get(character)
        return (
            [known] if known is not None else [self._vocabulary[BYTES[byte]] for byte in character.encode()]
        )

    def _find_next(self, tokens: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        """Every possible merge, the first to be made first: its position, and the token that it makes."""
        possible = sorted(
            (*self._merges[pair], place)
            for place, pair in enumerate(pairwise(tokens))
            if pair in self._merges
        )
        return tuple((place, merged) for _, merged, place in possible)


def draws(key: Sequence[int]) -> Iterator[float]:
    """Numbers from [0, 1), as many as are asked for, decided by the key alone."""
    generator = np.random.default_rng([*key, len(key)])  # or zeros at the end of a key would not count
    while True:
        yield from generator.random(128).tolist()
