"""Chunks: a few Korean words with their English words and the links between them.

Chunks are immutable and cached. A sentence lays its chunks out in two orders, one per language; the links
follow, because each English word knows which Korean words of its own chunk it expresses.
"""

import re
from functools import cache
from typing import Literal, NamedTuple

from regard.world.adjectives import Adjective
from regard.world.english import indefinite_article
from regard.world.hangul import BARE, Particle, attach
from regard.world.nouns import Noun

Word = tuple[str, tuple[int, ...]]
"""An English word and the positions, in its chunk, of the Korean words it expresses."""


class Chunk(NamedTuple):
    """Korean words and the English words that say the same."""

    korean: tuple[str, ...]
    english: tuple[Word, ...]


@cache
def words(text: str, *anchors: int) -> tuple[Word, ...]:
    """Anchor every word of an English text to the same Korean words."""
    return tuple((word, anchors) for word in text.split())


def moved(english: tuple[Word, ...], by: int) -> tuple[Word, ...]:
    """Return the words with their anchors shifted."""
    if not by:
        return english
    # Nearly every word has one anchor; this is the innermost loop of all.
    return tuple(
        [
            (text, (anchors[0] + by,) if len(anchors) == 1 else tuple([anchor + by for anchor in anchors]))
            for text, anchors in english
        ]
    )


def chunk(korean: str, english: str) -> Chunk:
    """Read a chunk such as "다음 주에", "next:0 week:1"; a word without a number belongs to word 0."""
    pairs = (word.partition(":") for word in english.split())
    return Chunk(tuple(korean.split()), tuple((text, (int(number or 0),)) for text, _, number in pairs))


def chunks(entries: str) -> tuple[Chunk, ...]:
    """Read chunks written as "아침에 in the morning, 매일 아침 every:0 morning:1"."""
    return tuple(chunk(*found) for found in re.findall(r"([가-힣][가-힣 ]*) ([^,가-힣]+)", entries))


class Possessor(NamedTuple):
    """An owner before a noun: 내, 민수의."""

    korean: str
    english: str


NUMBERS = (
    ("한", "one"), ("두", "two"), ("세", "three"), ("네", "four"), ("다섯", "five"),
    ("여섯", "six"), ("일곱", "seven"), ("여덟", "eight"), ("아홉", "nine"), ("열", "ten"),
)  # fmt: skip
"""Native numerals as they stand before a counter."""

Bare = Literal["object", "subject", "predicate", "a", "plural", "several"]
"""What a bare noun is in its clause, or what its verb makes of it.

object:    "the book", "apples", "water"
subject:   "the book", "the apple", "the water"
predicate: what a copula says, "a book", "an apple"; it takes no 들
a:         "a book", "apples"
plural:    "books", "apples"
several:   "the books", "the apples"
"""

_DEMONSTRATIVES = {"이": ("this", "these"), "그": ("that", "those"), "저": ("that", "those")}


@cache
def noun_phrase(
    noun: Noun,
    particle: Particle,
    *,
    bare: Bare = "object",
    preposition: str = "",
    demonstrative: str = "",
    possessor: Possessor | None = None,
    adjective: Adjective | None = None,
    many: bool = False,
) -> Chunk:
    """Build [demonstrative | possessor] [adjective] noun+particle.

    bare: what decides the English article, if no demonstrative and no possessor takes its place
    many: the noun has the plural 들, or is the predicate of a plural subject
    """
    owner, quality = possessor and possessor.korean, adjective and adjective.modifier
    front = [word for word in (demonstrative, owner, quality) if word]
    last = len(front)
    korean = (*front, attach(noun.korean, particle, plural=many and bare != "predicate"))
    if preposition and noun.spot and not front:
        said = noun.spot if (preposition, noun.spot) == ("to", "home") else f"{preposition} {noun.spot}"
        return Chunk(korean, words(said, last))

    described = words(adjective.english, last - 1) if adjective else ()
    kinds = not demonstrative and not possessor and _is_plural(noun, bare)
    named = words(noun.plural if many or kinds else noun.english, last)
    if demonstrative:
        article = words(_DEMONSTRATIVES[demonstrative][many], 0)
    elif possessor:
        article = words(possessor.english, 0)
    elif kinds and bare != "several":
        article = ()
    else:
        following = (described + named)[0][0]
        article = words(_article(noun, following, bare, many=many), last)
    return Chunk(korean, words(preposition, last) + article + described + named)


def _is_plural(noun: Noun, bare: Bare) -> bool:
    """Tell whether the bare noun means its kind, which English says in the plural."""
    if noun.article == "kind":
        return bare not in ("subject", "predicate")
    return noun.article == "the" and bare in ("plural", "several")


def _article(noun: Noun, following: str, bare: Bare, *, many: bool) -> str:
    if noun.article in ("none", "my"):
        return "" if noun.article == "none" else "my"
    if noun.article == "mass":
        return "the" if bare == "subject" else ""
    if bare in ("predicate", "a"):
        return "" if many else indefinite_article(following)
    return "the"


@cache
def counted_phrase(
    noun: Noun, number: int, particle: Particle, *, adjective: Adjective | None = None
) -> Chunk:
    """Build [adjective] noun numeral counter+particle.

    책 두 권을 is "two books", 물 세 잔을 "three glasses of water".
    """
    korean_number, english_number = NUMBERS[number - 1]
    front = (adjective.modifier,) if adjective else ()
    at = len(front)  # the noun; then the numeral and the counter
    korean = (*front, attach(noun.korean, BARE), korean_number, attach(noun.counter, particle, tag="counter"))
    described = words(adjective.english, 0) if adjective else ()
    if noun.measure:
        measure = noun.measure if number == 1 else _plural_measure(noun.measure)
        counted = words(f"{measure} of", at + 2) + described + words(noun.english, at)
    else:
        counted = described + words(noun.english if number == 1 else noun.plural, at, at + 2)
    return Chunk(korean, words(english_number, at + 1) + counted)


def _plural_measure(measure: str) -> str:
    return f"{measure}es" if measure.endswith("s") else f"{measure}s"


@cache
def joined_phrase(first: Chunk, second: Chunk) -> Chunk:
    """Join "사과와" and "빵을": the particle 와 of the first says "and"."""
    shift = len(first.korean)
    joined = first.english + words("and", shift - 1) + moved(second.english, shift)
    return Chunk(first.korean + second.korean, joined)


def with_relative(noun: Chunk, relative: Chunk) -> Chunk:
    """Put a relative clause to its noun: before it in Korean, after it in English."""
    shift = len(relative.korean)
    return Chunk(relative.korean + noun.korean, moved(noun.english, shift) + relative.english)
