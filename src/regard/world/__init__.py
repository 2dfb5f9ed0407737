"""The built-in Korean-English world: sentence pairs with known word alignments, made from a small grammar.

It is a demonstration world: its sentences are grammatical and varied, but simple, and now and then odd.
`grammar` says what decides the English and what is linked to what, `heldout` which combinations of words are
kept for a split of their own, `morphology` and `morphemes` what is known below the word. Words, as counted by
`links`, are those of `regard.text.words`.

From the same grammar come labelled Korean sentences: `sentiment.sentiment`, `inference.inference`,
`tagged` and `questions.questions`. All five take a split of `SPLITS`, a number of rows and a seed, and
keep the same promises.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from regard.errors import DataError
from regard.world.dice import Dice
from regard.world.grammar import LENGTHS, WorldPair, draw
from regard.world.morphology import analysed
from regard.world.sampling import SPLITS, Wanted, check_request, sample

__all__ = ["SPLITS", "TaggedSentence", "WorldPair", "pairs", "tagged"]


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """The words of a sentence and the part of speech of each."""

    words: tuple[str, ...]
    tags: tuple[str, ...]


def pairs(
    split: str, rows: int, *, max_words: int | None = None, lengths: str = "natural", seed: int = 1
) -> Iterator[WorldPair]:
    """Yield `rows` different pairs of a split, the same ones for the same arguments on every machine.

    A smaller request is the beginning of a larger one. The split of a sentence depends on its English alone,
    so that splits share no sentence in either language, whatever the seed. The sentences of "heldout", and
    no others, contain a combination of two words that `heldout.COMBINATIONS` keeps apart everywhere else.

    max_words: the most Korean words, punctuation not counted
    lengths:   "natural": 2 to 12 words, a few up to 20 and more; "long": about evenly from 5 to 60 and more
    """
    check_request("world", split, rows)
    if max_words is not None and max_words < 2:
        raise DataError(f"max_words must be 2 or more (the shortest sentence has 2 words), found {max_words}")
    if lengths not in LENGTHS:
        raise DataError(f"unknown lengths {lengths!r} of the built-in world; valid: {', '.join(LENGTHS)}")
    dice, room = Dice(seed), LENGTHS[lengths]

    def drawn(wanted: Wanted) -> tuple[str, WorldPair] | None:
        pair = draw(dice, wanted=wanted, lengths=room, max_words=max_words)
        return pair and (pair.korean, pair)

    return sample(split, rows, drawn, "" if max_words is None else f" of at most {max_words} words")


def tagged(
    split: str, rows: int, *, max_words: int | None = None, lengths: str = "natural", seed: int = 1
) -> Iterator[TaggedSentence]:
    """Yield the Korean sentences of `pairs`, each word with the part of speech of its first morpheme.

    The tags are those of `morphology`: 학교에서 is a noun, 읽었다 a verb, 안 an adverb, 두 a numeral.
    """
    for pair in pairs(split, rows, max_words=max_words, lengths=lengths, seed=seed):
        yield TaggedSentence(pair.words, tuple(analysed(word)[0].tag for word in pair.words))
