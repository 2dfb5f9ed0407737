"""Words as labels: invisible characters are made visible."""

import unicodedata

UNSEEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
HANGUL_FILLERS = "\u115f\u1160\u3164\uffa0"
JOINER = "\u200d"
STYLES = "\ufe0e\ufe0f"
"""Ask for an emoji as text, or as a picture."""
TONES = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"


def visible(text: str) -> str:
    """Show what has no shape of its own, or would turn the writing direction, by its code: `<U+200B>`.

    What joins two emoji (a family) stays: it has a shape. Decomposed Hangul is composed, so that it has the
    width and the shape that a reader expects.
    """
    composed = unicodedata.normalize("NFC", text)
    return "".join(
        f"<U+{ord(char):04X}>" if _is_unseen(char) and not joins(composed, place) else char
        for place, char in enumerate(composed)
    )


def in_cells(text: str) -> str:
    """What is visible, in signs that have one width in all terminals.

    Terminals disagree about emoji of several parts: some draw one picture, others each part. So the parts are
    shown, with + where they are joined, and the colour of a skin by its name.
    """
    signs = {JOINER: "+", **dict.fromkeys(STYLES, ""), **{tone: f":{tone_name(tone)}:" for tone in TONES}}
    return "".join(signs.get(char, char) for char in visible(text))


def tone_name(tone: str) -> str:
    """The name of a colour of skin, as chat programs have it."""
    return f"skin-tone-{TONES.index(tone) + 2}"


def joins(text: str, place: int) -> bool:
    """Whether the sign at a place is a joiner that stands between two emoji."""
    if text[place] != JOINER:
        return False
    before = text[:place].rstrip(STYLES + TONES)
    return is_emoji(before[-1:]) and is_emoji(text[place + 1 : place + 2])


def clusters(text: str) -> list[str]:
    """The signs of a text; those of one emoji, and the two letters of a flag, together."""
    found: list[str] = []
    for place, char in enumerate(text):
        last = found[-1] if found else ""
        flag = len(last) == 1 and flag_letter(last) and flag_letter(char)
        if is_emoji(last[:1]) and (
            char in STYLES + TONES or joins(text, place) or last[-1] == JOINER or flag
        ):
            found[-1] += char
        else:
            found.append(char)
    return found


def flag_letter(char: str) -> str:
    """The letter that a regional indicator stands for; nothing for other signs."""
    return chr(ord(char) - 0x1F1E6 + ord("a")) if "\U0001f1e6" <= char <= "\U0001f1ff" else ""


def is_emoji(char: str) -> bool:
    """Whether a sign may be a part of a joined emoji: a symbol (♂, ❤), or the one arrow that is used so."""
    return char == "↔" or (char != "" and unicodedata.category(char) == "So")


def _is_unseen(char: str) -> bool:
    return unicodedata.category(char) in UNSEEN or char in HANGUL_FILLERS
