"""A part of a text for a person to look at: what cannot be seen is written out."""

import re
import unicodedata

WIDTH = 72
"""Characters of an example."""
_PLAIN = re.compile("[ -~가-힣]*")


def excerpt(text: str, at: int = 0, width: int = WIDTH) -> str:
    """The text around a character, with … where it was cut; NFD is shown composed, and named."""
    composed = unicodedata.normalize("NFC", text)
    if composed != text:
        at = len(unicodedata.normalize("NFC", text[:at]))
        is_shorter = len(composed) < len(text)
        return f"{excerpt(composed, at, width)} ({'NFD' if is_shorter else 'not NFC'})"
    start = max(0, min(at - width // 3, len(text) - width))
    part = visible(text[start : start + width])
    return f"{'…' if start else ''}{part}{'…' if start + width < len(text) else ''}"


def visible(text: str) -> str:
    """The text with signs that have no shape of their own as ⟨U+200B⟩."""
    return text if _PLAIN.fullmatch(text) else "".join(map(_shown, text))


def _shown(char: str) -> str:
    has_no_shape = (
        unicodedata.category(char)[0] in "CZM" or "\u1100" <= char <= "\u11ff" or char in "\u3164\uffa0"
    )
    return f"⟨U+{ord(char):04X}⟩" if has_no_shape and char != " " else char


def first_difference(before: str, after: str) -> int:
    """Where two texts begin to differ."""
    for place, (one, other) in enumerate(zip(before, after, strict=False)):
        if one != other:
            return place
    return min(len(before), len(after))
