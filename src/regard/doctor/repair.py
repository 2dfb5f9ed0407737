"""Texts put right, step by step.

What can be repaired is found by repairing it: a fault is a step that changes the text. The steps are gone
through until none changes anything, so a repaired text has no such fault left.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from regard.doctor import signs
from regard.doctor.hangul import composed
from regard.doctor.markup import without_entities, without_escapes
from regard.doctor.mojibake import redecoded

_ROUNDS = 8
"""One step can uncover work for another: &amp;amp;, or an entity with a zero-width space in it."""
_COLOUR = re.compile("\x1b\\[[0-9;]*[A-Za-z]")
_PARTS_WORDS = re.compile("\r(?!\n)|[\x0b\x0c\x1c-\x1f\x85]")
_CONTROLS = re.compile(f"[{signs.CONTROL}]")
_MARKS = re.compile(f"[{signs.INVISIBLE}]")
_JOINERS = "\u200c\u200d"
_TAKES_NO_JOINER = re.compile(f"[\x00-\x7fÀ-ɏ가-힣ㄱ-ㆎぁ-ヿ一-鿿\\s{signs.INVISIBLE}]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_SPACES = re.compile(f"[{signs.SPACES}]")
_SPACES_BUT_WIDE = re.compile(f"[{signs.SPACES.replace(signs.WIDE_SPACE, '')}]")
_FULL_WIDTH = re.compile(f"[{signs.FULL_WIDTH}]+")
_FULL_WIDTH_LETTERS = re.compile("[０-９Ａ-Ｚａ-ｚ]+")
_EAST_ASIAN = ("Kana", "Han")
_LOOKALIKES = re.compile(f"[{signs.LOOKALIKE}]")
# A word of Latin letters and lookalikes, both: two Latin letters at least, so that Δx and 5А stay.
_MIXED_WORD = re.compile(
    rf"(?<!\w)(?=\w*[{signs.LOOKALIKE}])(?=[^\W\d_]*[A-Za-z][^\W\d_]*[A-Za-z])"
    rf"[A-Za-z{signs.LOOKALIKE}]+(?!\w)"
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
    if not signs.is_suspect(text):
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


def _mojibake(text: str, script: str | None) -> str:
    return redecoded(text, korean=script == "Hangul")


def _entity(text: str, _: str | None) -> str:
    return without_entities(text)


def _escape(text: str, _: str | None) -> str:
    return without_escapes(text)


def _control(text: str, _: str | None) -> str:
    return _CONTROLS.sub("", _PARTS_WORDS.sub(" ", _COLOUR.sub("", text)))


def _nfc(text: str, _: str | None) -> str:
    return unicodedata.normalize("NFC", text)


def _jamo(text: str, _: str | None) -> str:
    return composed(text)


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
    return _MIXED_WORD.sub(lambda found: found[0].translate(signs.LATIN_OF), text)


def _space(text: str, script: str | None) -> str:
    """Special spaces; between Japanese or Chinese words, the wide one is the usual one."""
    return (_SPACES_BUT_WIDE if script in _EAST_ASIAN else _SPACES).sub(" ", text)


_STEPS: dict[str, Callable[[str, str | None], str]] = {
    "mojibake": _mojibake,
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
