"""How a tagger reads the words that it is given: whole, with their characters; or in pieces."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from regard.insight.merge import Side
from regard.nn.deciding import Frame
from regard.tasks.tagging.examples import NO_CHARACTERS, EncodedSentence
from regard.tasks.tagging.given_words import GivenSentence
from regard.text.given import Speller, line_of
from regard.text.normalise import Span
from regard.text.tokenizer import Tokenizer
from regard.text.word_pieces import CutWords, WordPieces


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence as a model reads it."""

    given: GivenSentence
    encoded: EncodedSentence
    side: Side
    """What the rows and the columns of its attention stand for."""


class WordReader(Protocol):
    """Turns sentences of words into ids."""

    def encode(self, sentences: Sequence[Sequence[str]]) -> list[EncodedSentence]:
        """Only the ids: the fast way."""
        ...

    def read(self, sentences: Sequence[GivenSentence]) -> list[ReadSentence]:
        """Also what is needed to show and to change what is looked at."""
        ...

    def without(self, sentence: ReadSentence, removed: frozenset[int]) -> ReadSentence:
        """A sentence without some of the tokens of its side, symbols not counted."""
        ...

    def is_known(self, words: Sequence[str]) -> list[bool]:
        """Whether the vocabulary has each word."""
        ...


class WholeWords:
    """A word is one token; what reads its characters is given these, too."""

    def __init__(self, tokenizer: Tokenizer, speller: Speller | None) -> None:
        self._tokenizer, self._speller = tokenizer, speller

    def encode(self, sentences: Sequence[Sequence[str]]) -> list[EncodedSentence]:
        """Words as ids, and their characters."""
        lines = [line_of(words) for words in sentences]
        ids = self._tokenizer.encode_ids(lines)
        spelt = self._speller.encode_ids(lines) if self._speller else [NO_CHARACTERS] * len(lines)
        return [EncodedSentence(own, (), letters) for own, letters in zip(ids, spelt, strict=True)]

    def read(self, sentences: Sequence[GivenSentence]) -> list[ReadSentence]:
        """A token is a word."""
        encoded = self.encode([one.words for one in sentences])
        return [ReadSentence(one, own, one.side) for one, own in zip(sentences, encoded, strict=True)]

    def without(self, sentence: ReadSentence, removed: frozenset[int]) -> ReadSentence:
        """The sentence without some of its words."""
        return self.read([sentence.given.without(removed)])[0]

    def is_known(self, words: Sequence[str]) -> list[bool]:
        """Whether the vocabulary has each word."""
        (ids,) = self._tokenizer.encode_ids([line_of(words)])
        return [token != self._tokenizer.unknown for token in ids]


class WordsInPieces:
    """A word is one piece or more, and symbols are around a sentence."""

    def __init__(self, tokenizer: Tokenizer, frame: Frame) -> None:
        self._tokenizer = tokenizer
        self._pieces = WordPieces(tokenizer)
        self._before, self._after = (tokenizer.piece(symbol) for symbol in (frame.first, frame.last))

    def encode(self, sentences: Sequence[Sequence[str]]) -> list[EncodedSentence]:
        """The pieces of the words as ids, and how many each word has."""
        return [_encoded(cut) for cut in self._pieces.cut([line_of(words) for words in sentences])]

    def read(self, sentences: Sequence[GivenSentence]) -> list[ReadSentence]:
        """Pieces with the characters of the sentence, as it was given, that they cover."""
        cut = self._pieces.cut([line_of(one.words) for one in sentences])
        return [
            ReadSentence(one, _encoded(own), self._side(one, own))
            for one, own in zip(sentences, cut, strict=True)
        ]

    def without(self, sentence: ReadSentence, removed: frozenset[int]) -> ReadSentence:
        """The sentence without some of its pieces; the others stay as they were cut."""
        encoded, side = sentence.encoded, sentence.side
        owners = [word for word, size in enumerate(encoded.pieces) for _ in range(size)]
        kept = [token for token in range(len(owners)) if token not in removed]
        sizes = [sum(owners[token] == word for token in kept) for word in range(len(encoded.pieces))]
        gone = frozenset(word for word, size in enumerate(sizes) if not size)
        given = sentence.given.without(gone)
        ids = [encoded.words[token] for token in kept]
        return ReadSentence(
            given,
            EncodedSentence(ids, (), pieces=[size for size in sizes if size]),
            replace(
                side,
                pieces=tuple(side.pieces[token] for token in kept),
                spans=tuple(side.spans[token] for token in kept),
                given=given.spans,
            ),
        )

    def is_known(self, words: Sequence[str]) -> list[bool]:
        """Whether the vocabulary can spell each word."""
        (cut,) = self._pieces.cut([line_of(words)])
        ends = np.cumsum(cut.sizes)
        unknown = np.array(cut.ids) == self._tokenizer.unknown
        return [not unknown[end - size : end].any() for size, end in zip(cut.sizes, ends, strict=True)]

    def _side(self, sentence: GivenSentence, cut: CutWords) -> Side:
        spans: list[Span] = []
        first = 0
        line = [len(line_of([word])) for word in sentence.words]
        own = iter(cut.spans)
        for size, length, (start, end) in zip(cut.sizes, line, sentence.spans, strict=True):
            for begin, stop in (next(own) for _ in range(size)):
                inside = [min(max(start + place - first, start), end) for place in (begin, stop)]
                spans.append((inside[0], inside[1]))
            first += length + 1
        return Side(
            sentence.text,
            cut.pieces,
            tuple(spans),
            (self._after,),
            self._tokenizer.dictionary,
            (self._before,),
            sentence.spans,
        )


def _encoded(cut: CutWords) -> EncodedSentence:
    return EncodedSentence(cut.ids, (), pieces=cut.sizes)
