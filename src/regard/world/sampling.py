"""How a split of a world is sampled: different texts, each in the split that its meaning decides."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import TypeVar

from regard.errors import DataError
from regard.world.dice import Dice, Rounds

SPLITS: tuple[str, ...] = ("train", "dev", "test", "heldout")
"""The splits of every world; "heldout" has combinations of words that occur in no other (`heldout`)."""

Wanted = Callable[[str, str, bool], bool]
"""Says whether a text is of the split and new, given what decides its split (its English where it has one, so
that a polite sentence is never tested that was learned as a plain one), and whether it has a held-out
combination."""

_PATIENCE = 3_000
"""Draws without a new text after which the world counts as exhausted."""

K = TypeVar("K")
T = TypeVar("T")


def check_request(world: str, split: str, rows: int) -> None:
    """Refuse a request that no world can fulfil."""
    if split not in SPLITS:
        raise DataError(f"unknown split {split!r} of the built-in {world}; valid splits: {', '.join(SPLITS)}")
    if rows < 0:
        raise DataError(f"rows must be 0 or more, found {rows}")


def sample(split: str, rows: int, draw: Callable[[Wanted], tuple[str, T] | None], limit: str) -> Iterator[T]:
    """Draw until `rows` different texts of the split are found.

    draw:  makes one text and what belongs to it, or None if it was not wanted
    limit: what kept the texts few, for the error when there are no more
    """
    seen: set[str] = set()
    misses = 0

    def wanted(text: str, meaning: str, held: bool) -> bool:
        if held != (split == "heldout") or text in seen:
            return False
        return held or _split_of(meaning) == split

    while len(seen) < rows:
        found = draw(wanted)
        if found is None:
            misses += 1
            if misses > _PATIENCE:
                raise DataError(
                    f"the built-in world gave only {len(seen)} different {split!r} sentences{limit}, "
                    f"{rows} were asked for; ask for fewer rows or raise max_words"
                )
            continue
        misses = 0
        text, result = found
        seen.add(text)
        yield result


def sample_balanced(
    world: str,
    split: str,
    rows: int,
    seed: int,
    kinds: Sequence[K],
    draw: Callable[[Dice, K], tuple[T | None, bool]],
    text: Callable[[T], str],
) -> Iterator[T]:
    """Draw as `sample` does, so that every round of rows has each kind once.

    draw: makes an example of a kind (None if it came to nothing), and says whether it is of held-out words
    text: what decides the split of an example, and comes only once
    """
    check_request(world, split, rows)
    dice = Dice(seed)
    rounds = Rounds(dice, kinds)

    def drawn(wanted: Wanted) -> tuple[str, T] | None:
        example, held = draw(dice, rounds.current)
        if example is None or not wanted(text(example), text(example), held):
            return None
        rounds.advance()
        return text(example), example

    return sample(split, rows, drawn, "")


def _split_of(text: str) -> str:
    """Map a text to its split: 5 % dev, 5 % test, the rest train."""
    percent = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") % 100
    if percent < 5:
        return "dev"
    return "test" if percent < 10 else "train"
