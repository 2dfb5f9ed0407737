"""Texts put right, step by step.

What can be repaired is found by repairing it: a fault is a step that changes the text. The steps are gone
through until none changes anything, so a repaired text has no such fault left.
"""

import html
import html.entities
import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from regard.doctor.mojibake import RARE_SYLLABLES, redecoded

_CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff"
_INVISIBLE = (
    "\xad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0001-\U000e007f"
)
_WIDE_SPACE, _FILLER = "\u3000", "\u3164"
SPACES = f"\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f{_WIDE_SPACE}{_FILLER}\uffa0"
FULL_WIDTH = "\uff01-\uff9f\uffa1-\uffdc\uffe0-\uffee"
_JAMO = "\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff"
_LATIN_OF = str.maketrans(
    "аеорсухіѕјАВЕКМНОРСТХІЅЈοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxisjABEKMHOPCTXISJoABEZHIKMNOPTYX"
)
_LOOKALIKE = "".join(map(chr, _LATIN_OF))

_ASCII = re.compile(r"[\x00-\x08\x0b-\x1f\x7f&\\]")
_ANY = re.compile(f"[{_CONTROL}\r{_INVISIBLE}{SPACES}{FULL_WIDTH}{_JAMO}{RARE_SYLLABLES}{_LOOKALIKE}&\\\\]")
_LATIN = re.compile("[¡-þ]")
_MOJIBAKE = re.compile("[Â-ó][\x80-\xbf\u0152-\u2122]|[¡-þ]{2}[ -~]{0,3}[¡-þ]{2}|¡[¤-±]|¢æ")


def is_suspect(text: str) -> bool:
    """Whether there could be something to repair. Most texts have nothing, so this decides the speed."""
    if "u20" in text or "u00" in text:  # what is left of an escape without its backslash
        return True
    if text.isascii():
        return _ASCII.search(text) is not None
    if _ANY.search(text) or not unicodedata.is_normalized("NFC", text):
        return True
    return _LATIN.search(text) is not None and _MOJIBAKE.search(text) is not None


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
_RUN = re.compile(f"[{_JAMO}]+")
_IN_FOUR = re.compile(f"{_FILLER}([{_INITIALS}])([{_VOWELS}])([{_FINALS}{_FILLER}]?)")
"""How KS X 1001 writes a syllable that it does not have: a filler, then three letters (or a filler again)."""


def _jamo(text: str, _: str | None) -> str:
    """The text, which is in NFC, with its jamo as syllables and letters; Old Hangul stays."""
    if _FILLER in text:
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


_ENTITY = re.compile(
    r"&(?: ?(?:amp|lt|gt|quot|nbsp)|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
)
_ABOUT_ENTITIES = re.compile(
    r"[HX]T?ML|entit(?:y|ies)|escap|이스케이프|엔티티|문자 참조|character reference|U\+[0-9A-F]{4}|['‘`]&",
    re.IGNORECASE,
)
"""A text about entities means what it says."""
_ESCAPES = re.compile(r"(?:\\u[0-9a-fA-F]{4}){3,}")
_LOST_BACKSLASH = re.compile(r"(?<![\d+])\\?u(?:201[1-489cd]|2022|2026|002[267]|00a0)(?!\d)")
"""Quotes, dashes, dots and spaces, of which a careless program leaves u2019: donu2019t."""


def _entity(text: str, _: str | None) -> str:
    """The text with the signs that its entities stand for."""
    if "&" not in text or _ABOUT_ENTITIES.search(text):
        return text
    return _ENTITY.sub(_sign, text)


def _escape(text: str, _: str | None) -> str:
    """The text with the characters that its escapes stand for."""
    if "u" not in text:
        return text
    text = _ESCAPES.sub(lambda found: _characters(found[0]), text)
    return _LOST_BACKSLASH.sub(lambda found: _plain(chr(int(found[0][-4:], 16))), text)


def _sign(found: re.Match[str]) -> str:
    """The sign of an entity, if it has one."""
    name = found[0][1:].lstrip()
    sign = html.unescape(found[0]) if name[0] == "#" else html.entities.html5.get(name, found[0])
    return found[0] if sign == "\ufffd" else _plain(sign)


def _plain(sign: str) -> str:
    """White space, which could be a line end, as a space."""
    return " " if sign.isspace() else sign


def _characters(run: str) -> str:
    """Escapes as characters, if these are letters."""
    units = bytes.fromhex(run.replace("\\u", ""))
    text = units.decode("utf-16-be", "replace")
    return text if text.isalpha() else run


_ROUNDS = 8
"""One step can uncover work for another: &amp;amp;, or an entity with a zero-width space in it."""
_COLOUR = re.compile("\x1b\\[[0-9;]*[A-Za-z]")
_PARTS_WORDS = re.compile("\r(?!\n)|[\x0b\x0c\x1c-\x1f\x85]")
_CONTROLS = re.compile(f"[{_CONTROL}]")
_MARKS = re.compile(f"[{_INVISIBLE}]")
_JOINERS = "\u200c\u200d"
_TAKES_NO_JOINER = re.compile(f"[\x00-\x7fÀ-ɏ가-힣ㄱ-ㆎぁ-ヿ一-鿿\\s{_INVISIBLE}]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_SPACES = re.compile(f"[{SPACES}]")
_SPACES_BUT_WIDE = re.compile(f"[{SPACES.replace(_WIDE_SPACE, '')}]")
_FULL_WIDTH = re.compile(f"[{FULL_WIDTH}]+")
_FULL_WIDTH_LETTERS = re.compile("[０-９Ａ-Ｚａ-ｚ]+")
_EAST_ASIAN = ("Kana", "Han")
_LOOKALIKES = re.compile(f"[{_LOOKALIKE}]")
# A word of Latin letters and lookalikes, both: two Latin letters at least, so that Δx and 5А stay.
_MIXED_WORD = re.compile(
    rf"(?<!\w)(?=\w*[{_LOOKALIKE}])(?=[^\W\d_]*[A-Za-z][^\W\d_]*[A-Za-z])"
    rf"[A-Za-z{_LOOKALIKE}]+(?!\w)"
)


class Change(NamedTuple):
    """What one step did to a text."""

    check: str
    before: str
    after: str


def repair(text: str, script: str | None, checks: frozenset[str]) -> tuple[str, tuple[Change, ...]]:
    """The text put right, and what was done; only what `checks` names is.

    script: that the text should be written in, if that is known
    """
    if not is_suspect(text):
        return text, ()
    changes: list[Change] = []
    for _ in range(_ROUNDS):
        before_round = text
        for check, step in _STEPS.items():
            if check in checks and (after := step(text, script)) != text:
                changes.append(Change(check, text, after))
                text = after
        if text == before_round:
            break
    return text, tuple(changes)


def _control(text: str, _: str | None) -> str:
    return _CONTROLS.sub("", _PARTS_WORDS.sub(" ", _COLOUR.sub("", text)))


def _nfc(text: str, _: str | None) -> str:
    return unicodedata.normalize("NFC", text)


def _full_width(text: str, script: str | None) -> str:
    wide = _FULL_WIDTH_LETTERS if script in _EAST_ASIAN else _FULL_WIDTH
    return wide.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)


def _invisible(text: str, _: str | None) -> str:
    """Marks, but not in scripts from right to left, where they are part of the spelling."""
    if not _MARKS.search(text) or _RIGHT_TO_LEFT.search(text):
        return text
    return _MARKS.sub(lambda found: found[0] if _joins(found) else "", text)


def _joins(mark: re.Match[str]) -> bool:
    """Whether the mark is a joiner within an emoji, or between letters of a script that needs it."""
    around = mark.string[: mark.start()][-1:], mark.string[mark.end() :][:1]
    return mark[0] in _JOINERS and all(sign and not _TAKES_NO_JOINER.match(sign) for sign in around)


def _lookalike(text: str, script: str | None) -> str:
    if script == "Cyrillic" or not _LOOKALIKES.search(text):
        return text
    return _MIXED_WORD.sub(lambda found: found[0].translate(_LATIN_OF), text)


def _space(text: str, script: str | None) -> str:
    """Special spaces; between Japanese or Chinese words, the wide one is the usual one."""
    return (_SPACES_BUT_WIDE if script in _EAST_ASIAN else _SPACES).sub(" ", text)


_STEPS: dict[str, Callable[[str, str | None], str]] = {
    "mojibake": lambda text, script: redecoded(text, korean=script == "Hangul"),
    "entity": _entity,
    "escape": _escape,
    "control": _control,
    "not-nfc": _nfc,
    "jamo": _jamo,
    "full-width": _full_width,
    "invisible": _invisible,
    "lookalike": _lookalike,
    "space": _space,
}
"""In this order: what decodes comes first, and seldom does a step leave work for an earlier one."""
