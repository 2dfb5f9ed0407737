"""Words that know their morphemes.

An `Eojeol` is a string (the word as it is written) with its morphemes in their dictionary form:
갔다 is 가/verb, 았/ending, 다/ending. The tags:

    noun, pronoun, numeral, counter, determiner, adverb, verb, adjective, auxiliary (않다, 못하다, 말다,
    있다 in -고 있다), copula (이다), particle, ending, suffix (들), punctuation

A morpheme's span is where it is written. Where two melt into one syllable (가 + 았 → 갔) both spans cover it;
the copula that is not written (의사다) has an empty span.
"""

from functools import cache
from typing import NamedTuple


class Morpheme(NamedTuple):
    """A morpheme in its dictionary form, and where it stands in its word."""

    form: str
    tag: str
    start: int
    end: int


Pieces = tuple[tuple[str, str], ...]
"""The morphemes of a word, each as (dictionary form, tag)."""


class Eojeol(str):
    """A Korean word that knows its morphemes."""

    __slots__ = ("pieces",)
    pieces: Pieces


def eojeol(text: str, *pieces: tuple[str, str]) -> Eojeol:
    """Make a word of its morphemes."""
    word = Eojeol(text)
    word.pieces = pieces
    return word


@cache
def _placed(text: str, pieces: Pieces) -> tuple[Morpheme, ...]:
    """Find out where each morpheme is written.

    From the right: a morpheme that stands there as it is has its syllables for itself; one that does not has
    melted with the one before, and they share a syllable.
    """
    found: list[Morpheme] = []
    right, shared = len(text), False
    for form, tag in reversed(pieces[1:]):
        if tag == "copula" and not shared and text[:right][-1:] != form:
            found.append(Morpheme(form, tag, right, right))
            continue
        start = max(right - len(form), 0)
        # A last syllable that the next morpheme shares has changed; the others still tell.
        whole = text[start : right - shared] == form[: len(form) - shared]
        found.append(Morpheme(form, tag, start, right))
        right, shared = (start, False) if whole else (start + 1, True)
    form, tag = pieces[0]
    found.append(Morpheme(form, tag, 0, right))
    return tuple(reversed(found))


_PARTICLES = ("에서", "에게", "한테", "을", "은", "는", "이", "가", "에", "의")
_PRONOUNS = frozenset((
    "나", "내", "저", "제", "너", "네", "우리", "그", "그녀", "그들", "무엇", "어디", "누구",
    "이것", "그것", "저것",
))  # fmt: skip
_ONE_PIECE = {
    **dict.fromkeys(["이", "그", "저", "새", "지난", "다음"], "determiner"),
    **dict.fromkeys(["한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열"], "numeral"),
    **dict.fromkeys(["내", "제", "우리"], "pronoun"),
    **dict.fromkeys(["때", "아침", "저녁"], "noun"),
    **dict.fromkeys(".?,", "punctuation"),
    "많이": "adverb",
}
_SPECIAL = {
    "누가": (("누구", "pronoun"), ("가", "particle")),
    "있으면": (("있", "verb"), ("으면", "ending")),
}


def nominal_tag(word: str) -> str:
    """Tell pronouns from nouns."""
    return "pronoun" if word in _PRONOUNS else "noun"


def analysed(word: str) -> tuple[Morpheme, ...]:
    """Return the morphemes of a word."""
    return _placed(word, word.pieces) if isinstance(word, Eojeol) else _placed(word, _fixed(word))


@cache
def _fixed(word: str) -> Pieces:
    """Analyse one of the few fixed words that the grammar writes out: adverbs, times, question words."""
    if word in _SPECIAL:
        return _SPECIAL[word]
    if word in _ONE_PIECE:
        return ((word, _ONE_PIECE[word]),)
    for particle in _PARTICLES:
        noun = word.removesuffix(particle)
        if noun and noun != word:
            return (noun, nominal_tag(noun)), (particle, "particle")
    return ((word, "adverb"),)
