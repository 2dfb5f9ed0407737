"""Pre-tokenized words: as a line, as labels, and as characters."""

import json
import re
from collections.abc import Iterable, Sequence

from regard.text.labels import Labels
from regard.text.symbols import PAD, SPACE
from regard.text.tokenizer import Tokenizer

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
