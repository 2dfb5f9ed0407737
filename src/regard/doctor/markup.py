"""What programs leave in a text: entities of HTML, escapes of characters."""

import html
import html.entities
import re

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


def without_entities(text: str) -> str:
    """The text with the signs that its entities stand for."""
    if "&" not in text or _ABOUT_ENTITIES.search(text):
        return text
    return _ENTITY.sub(_sign, text)


def without_escapes(text: str) -> str:
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
