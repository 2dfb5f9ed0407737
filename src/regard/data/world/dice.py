"""Random choices that stay the same on every machine and in every Python version."""

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import Generic, TypeVar

T = TypeVar("T")


class Weighted(Generic[T]):
    """Options with fixed odds."""

    def __init__(self, odds: dict[T, float]) -> None:
        self.options = tuple(odds)
        self.bounds = tuple(accumulate(odds.values()))
        self.total = self.bounds[-1] if odds else 0


class Dice:
    """A seeded source of choices.

    Only `Random.random` is used: Python promises its sequence for a seed, but not that of `choice`.
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def chance(self, probability: float) -> bool:
        """Say yes with this probability."""
        return self._random() < probability

    def pick(self, options: Sequence[T]) -> T:
        """Choose one option, all equally likely."""
        return options[int(self._random() * len(options))]

    def weighted(self, weighted: Weighted[T]) -> T:
        """Choose one option by its odds."""
        return weighted.options[bisect(weighted.bounds, self._random() * weighted.total)]
