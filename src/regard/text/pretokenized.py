"""Pre-tokenized words: as a line, as labels, as characters, and in subwords."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from regard.errors import DataError
from regard.text.labels import Labels
from regard.text.normalise import Span
from regard.text.symbols import PAD, SPACE
from regard.text.tokenizer import Encoding, Tokenizer

_INSIDE = re.compile(rf"[\s{SPACE}]+")
"""What would make two words of one."""


def join_words(words: Iterable[str]) -> str:
    """Words, or tags, joined by spaces: split at its spaces, the line gives as many of them again.

    A space inside of a word, as in "1 000", becomes _.
    """
    return " ".join(_INSIDE.sub("_", word.strip()) or "_" for word in words)


class TagIds:
    """The labels of the words of a line, as ids."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels

    def __len__(self) -> int:
        return len(self._labels)

    def to_json(self) -> str:
        """Everything that the ids depend on."""
        return self._labels.to_json()

    def numbers(self, text: str, where: str) -> list[int]:
        """The numbers of the labels of a line; one that is not known is refused, naming its place."""
        return [self._labels.number(label, where) for label in text.split(" ")]

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The number of each label of each line."""
        return [[ids[0] for ids in self._labels.encode_ids(text.split(" "))] for text in texts]


class PhraseTokenizer:
    """The characters of the words of a line, as ids, with <pad> after each word.

    longest: maximum characters of a word; of a longer one, the first half of so many and the last are kept
    """

    def __init__(self, tokenizer: Tokenizer, *, longest: int) -> None:
        self._tokenizer = tokenizer
        self._head, self._tail = longest // 2, longest - longest // 2

    def __len__(self) -> int:
        return len(self._tokenizer)

    def to_json(self) -> str:
        """Everything that the ids depend on."""
        return json.dumps([self._tokenizer.to_json(), self._head, self._tail], ensure_ascii=False)

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The characters of the words of each line; each word form is encoded once."""
        lines = [text.split(" ") for text in texts]
        forms = list(dict.fromkeys(word for words in lines for word in words))
        spelt = {
            word: self._cut(ids) for word, ids in zip(forms, self._tokenizer.encode_ids(forms), strict=True)
        }
        return [[one for word in words for one in spelt[word]] for words in lines]

    def _cut(self, ids: list[int]) -> list[int]:
        kept = ids if len(ids) <= self._head + self._tail else ids[: self._head] + ids[-self._tail :]
        return [*kept, PAD]


class WordsAsPieces(NamedTuple):
    """A line of words in pieces: the words one after the other."""

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    spans: tuple[Span, ...]
    """The characters of the line that each piece covers."""
    sizes: tuple[int, ...]
    """How many pieces each word has, one or more."""


class WordPieces:
    """The pieces of the words of a line, as ids.

    A line is read as a whole, so that its pieces are those of a text with the same words. A word of which the
    vocabulary leaves nothing, such as a control character, is one unknown piece: every word has one.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    def __len__(self) -> int:
        return len(self._tokenizer)

    def to_json(self) -> str:
        """Everything that the ids depend on."""
        return json.dumps(["words in pieces", self._tokenizer.to_json()], ensure_ascii=False)

    def cut(self, lines: Sequence[str]) -> Iterator[WordsAsPieces]:
        """The words of each line, which stand between single spaces, in pieces."""
        for line, encoding in zip(lines, self._tokenizer.encode_many(lines), strict=True):
            yield self._cut(line, encoding)

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The pieces of each line."""
        return [list(cut.ids) for cut in self.cut(texts)]

    def _cut(self, line: str, encoding: Encoding) -> WordsAsPieces:
        if not line:
            return WordsAsPieces((), (), (), ())
        sizes = np.array([len(word) for word in line.split(" ")])
        ends = np.cumsum(sizes + 1) - 1
        spans = [encoding.text.to_original(span) for span in encoding.spans]
        last = np.array([max(start, end - 1) for start, end in spans], dtype=int)
        # A piece is of the word that its last character is in; a space belongs to the word behind it.
        owners = np.minimum(np.searchsorted(ends, last, side="right"), len(ends) - 1)
        found = []
        for word, (size, end) in enumerate(zip(sizes.tolist(), ends.tolist(), strict=True)):
            own = np.flatnonzero(owners == word).tolist()
            found.append([(encoding.ids[at], encoding.pieces[at], spans[at]) for at in own])
            if not own:
                found[-1] = [self._nothing((end - size, end), line)]
        flat = [piece for word in found for piece in word]
        ids, pieces, covered = zip(*flat, strict=True)
        return WordsAsPieces(ids, pieces, covered, tuple(map(len, found)))

    def _nothing(self, span: Span, line: str) -> tuple[int, str, Span]:
        unknown = self._tokenizer.unknown
        if unknown is None:
            raise DataError(f"the vocabulary has nothing for {line[slice(*span)]!r} in '{line[:40]}'")
        return unknown, self._tokenizer.piece(unknown), span


class PieceCounts:
    """How many pieces each word of a line has."""

    def __init__(self, pieces: WordPieces) -> None:
        self._pieces = pieces

    def __len__(self) -> int:
        return 1 << 16  # more than a training row has

    def to_json(self) -> str:
        """Everything that the numbers depend on."""
        return json.dumps(["counts", self._pieces.to_json()], ensure_ascii=False)

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The count of each word of each line."""
        return [list(cut.sizes) for cut in self._pieces.cut(texts)]
