"""Random choices that stay the same on every machine and in every Python version."""

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import Generic, TypeVar

T = TypeVar("T")


class Weighted(Generic[T]):
    """Options with fixed odds."""

    __slots__ = ("bounds", "options")

    def __init__(self, odds: dict[T, float]) -> None:
        self.options = tuple(odds)
        total = sum(odds.values())
        self.bounds = tuple(bound / total for bound in accumulate(odds.values()))[:-1]


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
        return weighted.options[bisect(weighted.bounds, self._random())]


class Rounds(Generic[T]):
    """Options in rounds: each comes once, in a random order, before any comes again."""

    def __init__(self, dice: Dice, options: Sequence[T]) -> None:
        self._dice, self._options = dice, options
        self._left: list[T] = []
        self.advance()

    def advance(self) -> None:
        """Go on to the next option."""
        if not self._left:
            self._left = list(self._options)
        self.current = self._dice.pick(self._left)
        self._left.remove(self.current)
