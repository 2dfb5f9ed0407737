"""Which word of a sentence a user means."""

import unicodedata

from regard.errors import DataError
from regard.insight.edits import Word
from regard.insight.token_axis import TokenAxis
from regard.text.words import is_open


def find_words(word: Word, side: TokenAxis, what: str = "the sentence") -> tuple[list[int], str]:
    """The numbers of the words that are meant, and a note where that needed a guess.

    A text means all words that are it. If there is none: a number in digits means that word; where a script
    writes particles onto a word, 학교 means all words that begin with it, such as 학교에서.
    """
    labels = [unicodedata.normalize("NFC", label) for label in side.words()]
    if isinstance(word, int):
        if 0 <= word < len(labels):
            return [word], ""
        raise DataError(f"word {word} is not in {what}; its words are {_numbered(labels)}")
    wanted = unicodedata.normalize("NFC", word).strip()
    exact = [number for number, label in enumerate(labels) if label == wanted]
    if exact:
        return exact, ""
    if (number := whole_number(wanted)) is not None and number < len(labels):
        return [number], ""
    places = range(*side.shown(labels).indices(len(labels)))
    begun = [n for n in places if labels[n].startswith(wanted)] if wanted and is_open(wanted) else []
    if begun:
        found = ", ".join(labels[number] for number in begun)
        return begun, f"'{word}' is not a word of {what}; taken for the beginning of {found}"
    raise DataError(f"'{word}' is not in {what}; its words are {_numbered(labels)}")


def whole_number(text: str) -> int | None:
    """A number in digits, as a place is named; None if it is none, or no place can have it."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def _numbered(labels: list[str]) -> str:
    return ", ".join(f"{number} {label}" for number, label in enumerate(labels))
