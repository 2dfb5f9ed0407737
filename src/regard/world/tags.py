"""The built-in world of parts of speech: Korean words, each with the tag of its first morpheme.

The tags are those of `morphology`: 학교에서 is a noun, 읽었다 a verb, 안 an adverb, 두 a numeral.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from regard.world import pairs
from regard.world.morphology import analysed


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """The words of a sentence and the part of speech of each."""

    words: tuple[str, ...]
    tags: tuple[str, ...]


def tagged(
    split: str, rows: int, *, max_words: int | None = None, lengths: str = "natural", seed: int = 1
) -> Iterator[TaggedSentence]:
    """Yield the Korean sentences of `pairs` with these arguments, tagged."""
    for pair in pairs(split, rows, max_words=max_words, lengths=lengths, seed=seed):
        yield TaggedSentence(pair.words, tuple(analysed(word)[0].tag for word in pair.words))
