"""Small changes of a text that should not matter for what a model says of it."""

import random
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from regard.text.words import is_punctuation
from regard.world.hangul import INITIALS, VOWELS, compose, decompose
from regard.world.levels import other_level, synonym

_SYLLABLE = re.compile("[가-힣]")
_JOINT = re.compile(r"(?<=[가-힣])\s+(?=[가-힣])")
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]{4,}")
FULL_STOP = "."

Make = Callable[[str, random.Random], str | None]


@dataclass(frozen=True)
class Change:
    """A kind of change."""

    name: str
    meaning: str
    make: Make
    """The changed text; None where a text offers no place for it."""

    def of(self, text: str, seed: int, *, apart: bool = False) -> str | None:
        """The changed text, the same for the same text and seed; None where the change cannot be made.

        apart: the text has words with spaces between them, and a mark is a word
        """
        if not text.strip():
            return None
        found = self.make(text, random.Random(f"{seed}:{self.name}:{text}"))
        if apart and found == text.rstrip() + FULL_STOP:
            found = f"{text.rstrip()} {FULL_STOP}"
        return found if found is not None and found != text and found.strip() else None


def double_spaces(text: str, dice: random.Random) -> str | None:
    """Every space twice, and one behind the text."""
    del dice
    return re.sub(" +", "  ", text.strip()) + " "


def join_words(text: str, dice: random.Random) -> str | None:
    """Two Korean words written without the space between them, as many people do: 할 수 → 할수."""
    joints = list(_JOINT.finditer(text))
    if not joints:
        return None
    start, end = dice.choice(joints).span()
    return text[:start] + text[end:]


def decompose_letters(text: str, dice: random.Random) -> str | None:
    """The same letters in another Unicode form: NFD, or NFC where the text is in NFD already."""
    del dice
    composed = unicodedata.normalize("NFC", text)
    return unicodedata.normalize("NFD", text) if text == composed else composed


def change_level(text: str, dice: random.Random) -> str | None:
    """The last word of a Korean sentence in another level of speech: 한다 → 합니다, 합니다 → 해요."""
    del dice
    end = _end_of_words(text)
    start = max(text.rfind(" ", 0, end), -1) + 1
    other = other_level(text[start:end], question="?" in text[end:]) if start < end else None
    return None if other is None else text[:start] + other + text[end:]


def change_word(text: str, dice: random.Random) -> str | None:
    """A word of the built-in world in place of one that says the same: 나는 → 저는, 친구에게 → 친구한테."""
    words = text.split(" ")
    places = [place for place, word in enumerate(words) if synonym(word) is not None]
    if not places:
        return None
    place = dice.choice(places)
    words[place] = synonym(words[place]) or ""
    return " ".join(words)


def change_mark(text: str, dice: random.Random) -> str | None:
    """The marks at the end left out, but not those of a question; a full stop where there is none."""
    del dice
    end = _end_of_words(text)
    if "?" in text[end:]:
        return None
    return (text.rstrip() + FULL_STOP) if end == len(text.rstrip()) else text[:end]


def mistype(text: str, dice: random.Random) -> str | None:
    """One jamo of a Korean syllable is another: 책을 → 첵을; without Korean, two letters are swapped."""
    places = [found.start() for found in _SYLLABLE.finditer(text)]
    if places:
        place = dice.choice(places)
        return text[:place] + _other_jamo(text[place], dice) + text[place + 1 :]
    words = [found.span() for found in _LATIN_WORD.finditer(text)]
    if not words:
        return None
    start, end = dice.choice(words)
    pairs = [place for place in range(start + 1, end - 1) if text[place] != text[place + 1]]
    if not pairs:
        return None
    place = dice.choice(pairs)
    return text[:place] + text[place + 1] + text[place] + text[place + 2 :]


def change_case(text: str, dice: random.Random) -> str | None:
    """All in small letters; where there are no others, the first a capital."""
    del dice
    small = text.lower()
    return small if small != text else text[:1].upper() + text[1:]


CHANGES = (
    Change("spaces", "every space doubled, one more at the end", double_spaces),
    Change("joined", "two Korean words written together", join_words),
    Change("unicode", "NFD in place of NFC", decompose_letters),
    Change("ending", "another level of speech at the end: 한다, 합니다, 해요", change_level),
    Change("synonym", "another word of the same meaning: 나/저, 에게/한테", change_word),
    Change("mark", "the final mark dropped, or added", change_mark),
    Change("typo", "one jamo mistyped; in Latin letters, two swapped", mistype),
    Change("case", "all small letters; else a first capital", change_case),
)


def _other_jamo(syllable: str, dice: random.Random) -> str:
    """The syllable with another initial or another vowel."""
    initial, vowel, final = decompose(syllable)
    if dice.random() < 0.5:
        return compose(dice.choice([other for other in INITIALS if other != initial]), vowel, final)
    return compose(initial, dice.choice([other for other in VOWELS if other != vowel]), final)


def _end_of_words(text: str) -> int:
    """Where the marks and spaces at the end begin."""
    end = len(text)
    while end and (is_punctuation(text[end - 1]) or text[end - 1].isspace()):
        end -= 1
    return end
