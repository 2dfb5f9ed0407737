"""The scripts of a vocabulary, and texts that are in another one.

A model that never saw Thai writes something for a Thai sentence all the same. What it saw is read from the
entries of its vocabulary: a script of which they have some letters is known. One letter that strayed into the
training data does not make a script known, but that letter itself is.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache

from regard.text.markup import placeholders

ENOUGH = 5
"""Different letters of a script that make it known."""
_LEAST = 3
"""Fewer letters of another script say nothing of a text."""
_SAME = {"HIRAGANA": "KANA", "KATAKANA": "KANA", "KATAKANA-HIRAGANA": "KANA"}
_NAMES = {"CJK": "Chinese (Han)", "KANA": "Japanese (kana)", "HANGUL": "Korean (Hangul)"}


@cache
def script_of(letter: str) -> str:
    """The script of a letter, as Unicode names it: LATIN, HANGUL, CJK; nothing if it is no letter."""
    if not unicodedata.category(letter).startswith(("Lu", "Ll", "Lt", "Lo")):
        return ""
    plain = unicodedata.normalize("NFKD", letter)[0]  # a wide or a bold letter is one all the same
    first = unicodedata.name(plain, "").split(" ")[0]
    return _SAME.get(first, first)


class KnownScripts:
    """The scripts that the entries of a vocabulary cover."""

    def __init__(self, entries: Iterable[str | bytes]) -> None:
        """entries: the text of each; bytes where it begins or ends inside of a character"""
        self._letters: set[str] = set()
        self._beginnings: set[bytes] = set()
        for entry in entries:
            if isinstance(entry, str):
                self._letters.update(entry)
            else:
                self._beginnings.update(entry[place : place + 2] for place in range(len(entry) - 1))
        counts = Counter(map(script_of, self._letters))
        self._scripts = {script for script, count in counts.items() if script and count >= ENOUGH}

    def unknown(self, text: str) -> tuple[str, ...]:
        """The scripts of most letters of a text, if the vocabulary knows them not; most letters first."""
        if self._letters.issuperset(text):
            return ()
        letters = [letter for letter in text if script_of(letter)]
        foreign = Counter(script_of(letter) for letter in letters if not self._knows(letter))
        count = sum(foreign.values())
        if count < _LEAST or 2 * count <= len(letters):
            return ()
        return tuple(_NAMES.get(script, script.capitalize()) for script, _ in foreign.most_common())

    def _knows(self, letter: str) -> bool:
        if letter in self._letters or script_of(letter) in self._scripts:
            return True
        # A vocabulary of bytes has pieces of letters; those of letters that it met often begin alike.
        return letter.encode()[:2] in self._beginnings


def script_notes(scripts: KnownScripts, *texts: str) -> tuple[str, ...]:
    """A note if most letters of a text are of such a script; of several texts, one for each script."""
    found: dict[str, None] = {}
    for text in texts:
        unknown = scripts.unknown(text)
        if unknown:  # {name} and addresses are no words of a language
            for placeholder in placeholders(text):
                text = text.replace(placeholder, " ")
            unknown = scripts.unknown(text)
        if unknown:
            found[" and ".join(unknown)] = None
    return tuple(
        f"the text is in {names} letters, which this model was not trained on; do not trust its output"
        for names in found
    )
