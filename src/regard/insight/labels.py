"""Words as labels: what a reader sees is what is there."""

import unicodedata


def visible(text: str) -> str:
    """Show what would be invisible, or would turn the writing direction, by its code: `<U+200B>`.

    Decomposed Hangul is composed, so that it has the width and the shape that a reader expects.
    """
    return "".join(
        f"<U+{ord(char):04X}>" if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") else char
        for char in unicodedata.normalize("NFC", text)
    )
