"""Hangul in pieces: jamo that should be syllables, or letters of their own."""

import re

from regard.doctor.signs import FILLER, JAMO

_INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_FINALS = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
_CONJOINING = {"\u1100": _INITIALS, "\u1161": _VOWELS, "\u11a8": _FINALS}
_LETTER = {
    chr(ord(first) + place): letter
    for first, letters in _CONJOINING.items()
    for place, letter in enumerate(letters)
} | {"\u115f": "", "\u1160": ""}
"""The letter of each conjoining jamo in use; the two fillers stand for none."""
_RUN = re.compile(f"[{JAMO}]+")
_IN_FOUR = re.compile(f"{FILLER}([{_INITIALS}])([{_VOWELS}])([{_FINALS}{FILLER}]?)")
"""How KS X 1001 writes a syllable that it does not have: a filler, then three letters (or a filler again)."""


def composed(text: str) -> str:
    """The text, which is in NFC, with its jamo as syllables and letters; Old Hangul stays."""
    if FILLER in text:
        text = _IN_FOUR.sub(_syllable, text)
    return _RUN.sub(lambda found: _letters(found[0]), text)


def _syllable(found: re.Match[str]) -> str:
    first, vowel, last = found.groups()
    final = _FINALS.index(last) + 1 if last and last in _FINALS else 0
    return chr(0xAC00 + (_INITIALS.index(first) * 21 + _VOWELS.index(vowel)) * 28 + final)


def _letters(run: str) -> str:
    """Jamo as letters of their own; a run with one that is out of use is Old Hangul."""
    letters = [_LETTER.get(jamo) for jamo in run]
    return run if None in letters else "".join(letter for letter in letters if letter)
