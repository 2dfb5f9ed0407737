"""The built-in Korean-English world: sentence pairs with known word alignments, made from a small grammar.

It is a demonstration world: its sentences are correct and varied, but simple. `grammar` says what decides
the English and what is linked to what. Words, as counted by `links`, are split at white space, and `.`, `?`
and `,` are words of their own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

from regard.data.world.dice import Dice
from regard.data.world.grammar import draw
from regard.errors import DataError

__all__ = ["SPLITS", "WorldPair", "pairs"]

SPLITS: tuple[str, ...] = ("train", "dev", "test")

_PATIENCE = 3_000
"""Draws without a new sentence after which the world counts as exhausted."""


@dataclass(frozen=True, slots=True)
class WorldPair:
    """A Korean sentence and its English, with what is known about them."""

    korean: str
    english: str
    links: frozenset[tuple[int, int]]
    """(Korean word, English word), counted from 0; all are sure links."""
    constructions: frozenset[str]
    """What the sentence contains, such as "past", "negation", "place"."""


def pairs(split: str, rows: int, *, max_words: int | None = None, seed: int = 1) -> Iterator[WorldPair]:
    """Yield `rows` different pairs of a split, the same ones for the same arguments on every machine.

    A smaller request is the beginning of a larger one. The split of a sentence depends on its Korean text
    alone, so that splits never share a sentence, whatever the seed. `max_words` bounds the Korean words,
    punctuation not counted.
    """
    if split not in SPLITS:
        raise DataError(f"unknown split {split!r} of the built-in world; valid splits: {', '.join(SPLITS)}")
    if rows < 0:
        raise DataError(f"rows must be 0 or more, found {rows}")
    if max_words is not None and max_words < 2:
        raise DataError(f"max_words must be 2 or more (the shortest sentence has 2 words), found {max_words}")
    return _pairs(split, rows, max_words, seed)


def _pairs(split: str, rows: int, max_words: int | None, seed: int) -> Iterator[WorldPair]:
    dice = Dice(seed)
    seen: set[str] = set()
    misses = 0

    def wanted(korean: str) -> bool:
        return korean not in seen and _split_of(korean) == split

    while len(seen) < rows:
        sentence = draw(dice, wanted=wanted, max_words=max_words)
        if sentence is None:
            misses += 1
            if misses > _PATIENCE:
                limit = "" if max_words is None else f" of at most {max_words} words"
                raise DataError(
                    f"the built-in world gave only {len(seen)} different {split!r} sentences{limit}, "
                    f"{rows} were asked for; ask for fewer rows or raise max_words"
                )
            continue
        misses = 0
        seen.add(sentence.korean)
        yield WorldPair(*sentence)


def _split_of(korean: str) -> str:
    """Map a sentence to its split: 5 % dev, 5 % test, the rest train."""
    percent = int.from_bytes(blake2b(korean.encode(), digest_size=8).digest(), "big") % 100
    if percent < 5:
        return "dev"
    return "test" if percent < 10 else "train"
