"""Words as people see them: runs between spaces, with the punctuation at their ends apart."""

import unicodedata

from regard.text.normalise import Span
from regard.text.symbols import REPLACEMENT

Links = frozenset[tuple[int, int]]
"""A word alignment: (source word, target word), counted from 0."""
_ATTACHING = ("HANGUL", "CJK", "HIRAGANA", "KATAKANA")
"""Scripts where particles, or other words, are written onto a word without a space."""


def word_spans(text: str) -> list[Span]:
    """Offsets of the words.

    "3.5 kg, don't!" has the words 3.5 · kg · , · don't · ! : punctuation inside a word belongs to it.
    """
    return [span for start, end in between_spaces(text) for span in _split_off_punctuation(text, start, end)]


def between_spaces(text: str) -> list[Span]:
    """Offsets of the runs between spaces, punctuation included: the tokens of a tokenised text."""
    spans: list[Span] = []
    position = 0
    for run in text.split():
        start = text.index(run, position)
        position = start + len(run)
        spans.append((start, position))
    return spans


def split_words(text: str) -> list[str]:
    """The words themselves."""
    return [text[start:end] for start, end in word_spans(text)]


def _split_off_punctuation(text: str, start: int, end: int) -> list[Span]:
    first, last = start, end
    while first < last and is_punctuation(text[first]):
        first += 1
    while last > first and is_punctuation(text[last - 1]):
        last -= 1
    marks_before = [(i, i + 1) for i in range(start, first)]
    marks_after = [(i, i + 1) for i in range(last, end)]
    return [*marks_before, *([(first, last)] if first < last else []), *marks_after]


def is_punctuation(char: str) -> bool:
    """Whether a character is a punctuation mark."""
    return unicodedata.category(char).startswith("P")


def is_mark(char: str) -> bool:
    """Whether a character is punctuation or a symbol; but � stands for a part of a character."""
    return char not in ("", REPLACEMENT) and unicodedata.category(char)[0] in "PS"


def is_open(text: str) -> bool:
    """Whether more may be written onto the end of a word and it still is that word: 학교 in 학교에서."""
    return unicodedata.name(text[-1], "").startswith(_ATTACHING) or is_mark(text[-1])
