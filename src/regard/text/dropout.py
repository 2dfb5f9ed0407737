"""BPE-dropout (Provilkov et al. 2020): spell words anew, leaving out merges by chance."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from regard.text.symbols import BYTES


class Merges:
    """The merges of a BPE vocabulary, applied in their order; each may be left out."""

    def __init__(self, vocabulary: Mapping[str, int], merges: Sequence[tuple[str, str]], rate: float) -> None:
        self._vocabulary = vocabulary
        self._merges = {
            (vocabulary[left], vocabulary[right]): (rank, vocabulary[left + right])
            for rank, (left, right) in enumerate(merges)
        }
        self._rate = rate

    def spell(self, part: str, draws: Iterator[float]) -> list[int]:
        """The tokens of a part of a text that no token crosses.

        At each step every possible merge is left out with probability `rate`, and the first of the others,
        by rank, then by place, is made; when all are left out, the part is done.
        """
        tokens = [token for character in part for token in self._letters(character)]
        while len(tokens) > 1:
            place, merged = self._choose(tokens, draws)
            if place < 0:
                break
            tokens[place : place + 2] = [merged]
        return tokens

    def _choose(self, tokens: Sequence[int], draws: Iterator[float]) -> tuple[int, int]:
        best, place, result = len(self._merges), -1, -1
        for i in range(len(tokens) - 1):
            rank, merged = self._merges.get((tokens[i], tokens[i + 1]), (best, -1))
            if rank < best and next(draws) >= self._rate:  # one that would lose anyway needs no draw
                best, place, result = rank, i, merged
        return place, result

    def _letters(self, character: str) -> list[int]:
        known = self._vocabulary.get(character)
        return (
            [known] if known is not None else [self._vocabulary[BYTES[byte]] for byte in character.encode()]
        )


def draws(key: Sequence[int]) -> Iterator[float]:
    """Numbers from [0, 1), as many as are asked for, decided by the key alone."""
    generator = np.random.default_rng([*key, len(key)])  # or zeros at the end of a key would not count
    while True:
        yield from generator.random(128).tolist()
