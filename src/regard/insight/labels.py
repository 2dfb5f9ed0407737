"""Words as labels: what a reader sees is what is there."""

import unicodedata

UNSEEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
HANGUL_FILLERS = "\u115f\u1160\u3164\uffa0"


def visible(text: str) -> str:
    """Show what has no shape of its own, or would turn the writing direction, by its code: `<U+200B>`.

    Decomposed Hangul is composed, so that it has the width and the shape that a reader expects.
    """
    return "".join(
        f"<U+{ord(char):04X}>" if unicodedata.category(char) in UNSEEN or char in HANGUL_FILLERS else char
        for char in unicodedata.normalize("NFC", text)
    )
