"""Sentences whose words are given, in a list or between the spaces of a text, and how a tagger reads them:
words whole, with their characters; or in pieces."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

import numpy as np

from regard.errors import DataError
from regard.inference.interventions import SentenceEdits
from regard.insight.token_axis import TokenAxis
from regard.nn.sequence_classifier import SpecialTokens
from regard.tasks.tagging.examples import NO_CHARACTERS, EncodedSentence
from regard.text.normalise import Span
from regard.text.pretokenized import PhraseTokenizer, WordPieces, WordsAsPieces, join_words
from regard.text.tokenizer import Tokenizer

Given = str | Sequence[str]
"""A text, whose words stand between spaces; or the words themselves."""
_WORD = re.compile(r"\S+")
_HALF = re.compile("[\ud800-\udfff]")
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class PretokenizedSentence:
    """A sentence and its words."""

    text: str
    """As it was typed; of a list, its words with spaces between them."""
    words: tuple[str, ...]
    spans: tuple[Span, ...]
    """The characters of `text` that each word covers."""

    @classmethod
    def of(cls, given: Given, where: str = "the sentence") -> "PretokenizedSentence":
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

    def without(self, places: frozenset[int]) -> "PretokenizedSentence":
        """The sentence without some of its words."""
        kept = [place for place in range(len(self.words)) if place not in places]
        words = tuple(self.words[place] for place in kept)
        return replace(self, words=words, spans=tuple(self.spans[place] for place in kept))

    @property
    def side(self) -> TokenAxis:
        """What the rows and the columns of its attention stand for."""
        return TokenAxis(self.text, self.words, self.spans, (), given=self.spans)


@dataclass(frozen=True, slots=True)
class EncodedWords:
    """A sentence as a model reads it."""

    given: PretokenizedSentence
    encoded: EncodedSentence
    side: TokenAxis
    """What the rows and the columns of its attention stand for."""
    reader: "WordEncoder"

    @property
    def texts(self) -> tuple[str]:
        """As it was given."""
        return (self.given.text,)

    @property
    def sides(self) -> tuple[TokenAxis]:
        """There is one."""
        return (self.side,)

    @property
    def is_empty(self) -> bool:
        """Whether there is no word."""
        return not self.given.words

    def without(self, edited: Sequence[SentenceEdits]) -> "EncodedWords":
        """The sentence without what is removed."""
        (own,) = edited
        return self.reader.without(self, own.removed) if own.removed else self


class WordEncoder(Protocol):
    """Turns sentences of words into ids."""

    def encode(self, sentences: Sequence[Sequence[str]]) -> list[EncodedSentence]:
        """Only the ids: the fast way."""
        ...

    def read(self, sentences: Sequence[PretokenizedSentence]) -> list[EncodedWords]:
        """Also what is needed to show and to edit the attention."""
        ...

    def without(self, sentence: EncodedWords, removed: frozenset[int]) -> EncodedWords:
        """A sentence without some of the tokens of its side, symbols not counted."""
        ...

    def is_known(self, words: Sequence[str]) -> list[bool]:
        """Whether the vocabulary has each word."""
        ...


class WholeWords:
    """A word is one token; what reads its characters is given these, too."""

    def __init__(self, tokenizer: Tokenizer, speller: PhraseTokenizer | None) -> None:
        self._tokenizer, self._speller = tokenizer, speller

    def encode(self, sentences: Sequence[Sequence[str]]) -> list[EncodedSentence]:
        """Words as ids, and their characters."""
        lines = [join_words(words) for words in sentences]
        ids = self._tokenizer.encode_ids(lines)
        spelt = self._speller.encode_ids(lines) if self._speller else [NO_CHARACTERS] * len(lines)
        return [EncodedSentence(own, (), letters) for own, letters in zip(ids, spelt, strict=True)]

    def read(self, sentences: Sequence[PretokenizedSentence]) -> list[EncodedWords]:
        """A token is a word."""
        encoded = self.encode([one.words for one in sentences])
        return [EncodedWords(one, own, one.side, self) for one, own in zip(sentences, encoded, strict=True)]

    def without(self, sentence: EncodedWords, removed: frozenset[int]) -> EncodedWords:
        """The sentence without some of its words."""
        return self.read([sentence.given.without(removed)])[0]

    def is_known(self, words: Sequence[str]) -> list[bool]:
        """Whether the vocabulary has each word."""
        (ids,) = self._tokenizer.encode_ids([join_words(words)])
        return [token != self._tokenizer.unknown for token in ids]


class WordsInPieces:
    """A word is one piece or more, and symbols are around a sentence."""

    def __init__(self, tokenizer: Tokenizer, frame: SpecialTokens) -> None:
        self._tokenizer = tokenizer
        self._pieces = WordPieces(tokenizer)
        self._before, self._after = (tokenizer.piece(symbol) for symbol in (frame.first, frame.last))

    def encode(self, sentences: Sequence[Sequence[str]]) -> list[EncodedSentence]:
        """The pieces of the words as ids, and how many each word has."""
        return [_encoded(cut) for cut in self._pieces.cut([join_words(words) for words in sentences])]

    def read(self, sentences: Sequence[PretokenizedSentence]) -> list[EncodedWords]:
        """Pieces with the characters of the sentence, as it was given, that they cover."""
        cut = self._pieces.cut([join_words(one.words) for one in sentences])
        return [
            EncodedWords(one, _encoded(own), self._side(one, own), self)
            for one, own in zip(sentences, cut, strict=True)
        ]

    def without(self, sentence: EncodedWords, removed: frozenset[int]) -> EncodedWords:
        """The sentence without some of its pieces; the others stay as they were cut."""
        encoded, side = sentence.encoded, sentence.side
        owners = [word for word, size in enumerate(encoded.pieces) for _ in range(size)]
        kept = [token for token in range(len(owners)) if token not in removed]
        sizes = [sum(owners[token] == word for token in kept) for word in range(len(encoded.pieces))]
        gone = frozenset(word for word, size in enumerate(sizes) if not size)
        given = sentence.given.without(gone)
        ids = [encoded.words[token] for token in kept]
        return EncodedWords(
            given,
            EncodedSentence(ids, (), pieces=[size for size in sizes if size]),
            replace(
                side,
                pieces=tuple(side.pieces[token] for token in kept),
                spans=tuple(side.spans[token] for token in kept),
                given=given.spans,
            ),
            self,
        )

    def is_known(self, words: Sequence[str]) -> list[bool]:
        """Whether the vocabulary covers each word."""
        (cut,) = self._pieces.cut([join_words(words)])
        ends = np.cumsum(cut.sizes)
        unknown = np.array(cut.ids) == self._tokenizer.unknown
        return [not unknown[end - size : end].any() for size, end in zip(cut.sizes, ends, strict=True)]

    def _side(self, sentence: PretokenizedSentence, cut: WordsAsPieces) -> TokenAxis:
        spans: list[Span] = []
        first = 0
        line = [len(join_words([word])) for word in sentence.words]
        own = iter(cut.spans)
        for size, length, (start, end) in zip(cut.sizes, line, sentence.spans, strict=True):
            for begin, stop in (next(own) for _ in range(size)):
                inside = [min(max(start + place - first, start), end) for place in (begin, stop)]
                spans.append((inside[0], inside[1]))
            first += length + 1
        return TokenAxis(
            sentence.text,
            cut.pieces,
            tuple(spans),
            (self._after,),
            self._tokenizer.dictionary,
            (self._before,),
            sentence.spans,
        )


def _encoded(cut: WordsAsPieces) -> EncodedSentence:
    return EncodedSentence(cut.ids, (), pieces=cut.sizes)


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
