"""Sentences whose words are given: in a list, or between the spaces of a text."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from regard.errors import DataError
from regard.insight.merge import Side
from regard.text.normalise import Span

Given = str | Sequence[str]
"""A text, whose words stand between spaces; or the words themselves."""
_WORD = re.compile(r"\S+")
_HALF = re.compile("[\ud800-\udfff]")
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class GivenSentence:
    """A sentence and its words."""

    text: str
    """As it was typed; of a list, its words with spaces between them."""
    words: tuple[str, ...]
    spans: tuple[Span, ...]
    """The characters of `text` that each word covers."""

    @classmethod
    def of(cls, given: Given, where: str = "the sentence") -> "GivenSentence":
        """Cut a text at its spaces, or take the words as they are."""
        if isinstance(given, str):
            found = list(_WORD.finditer(given))
            return cls(given, tuple(m.group() for m in found), tuple(m.span() for m in found))
        for place, word in enumerate(given):
            if not _is_word(word):
                raise DataError(f"{where}: expected a list of words, found {word!r} as word {place + 1}")
        ends = [0]
        for word in given:
            ends.append(ends[-1] + len(word) + 1)
        spans = [(start, end - 1) for start, end in pairwise(ends)]
        return cls(" ".join(given), tuple(given), tuple(spans))

    def without(self, places: frozenset[int]) -> "GivenSentence":
        """The sentence without some of its words."""
        kept = [place for place in range(len(self.words)) if place not in places]
        words = tuple(self.words[place] for place in kept)
        return replace(self, words=words, spans=tuple(self.spans[place] for place in kept))

    @property
    def side(self) -> Side:
        """What the rows and the columns of its attention stand for."""
        return Side(self.text, self.words, self.spans, (), given=self.spans)


def words_from_json(line: str, where: str) -> Given:
    """A list of words, or an object that has one under "words"; an empty line has no words."""
    if not line.strip():
        return ""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        raise DataError(f"{where}: not JSON; expected a list of words, found {line[:_SHOWN]}") from None
    words = values.get("words") if isinstance(values, dict) else values
    if not isinstance(words, list) or not all(map(_is_word, words)):
        raise DataError(f'{where}: expected a list of words, or one under "words", found {line[:_SHOWN]}')
    return words


def _is_word(value: object) -> bool:
    """A text that is not empty; half a character, which JSON can hold, is none."""
    return isinstance(value, str) and bool(value.strip()) and not _HALF.search(value)
