"""What an entry of the vocabulary decodes to, and how it is shown."""

import unicodedata
from collections.abc import Sequence

from regard.config.text import Kind
from regard.text.normalise import Span
from regard.text.symbols import BYTES, SPACE
from regard.text.utf8 import whole

GOES_ON = "##"
"""Before a WordPiece that continues a word."""

_BYTE_NAMED = {name: bytes([value]) for value, name in enumerate(BYTES)}


def written(piece: str, kind: Kind) -> str | bytes:
    """The text of an entry; bytes where it begins or ends inside a character."""
    match kind:
        case "byte_bpe":
            return whole(bytes(_BYTE_OF_LETTER[letter] for letter in piece))
        case "wordpiece":
            return piece.removeprefix(GOES_ON).replace(SPACE, " ")
        case "bpe" | "unigram" | "char" if piece in _BYTE_NAMED:
            return whole(_BYTE_NAMED[piece])
        case _:
            return piece.replace(SPACE, " ")


def learned(piece: str, kind: Kind) -> str | bytes:
    """The text of an entry that was learned from texts; nothing if it is there whatever the texts were.

    Such are the single bytes of the byte fallback. One that somebody added by hand to byte_bpe, in
    other letters than its own, is taken as it stands.
    """
    if kind == "byte_bpe":
        is_spelt = all(letter in _BYTE_OF_LETTER for letter in piece)
        return piece if not is_spelt else written(piece, kind) if len(piece) > 1 else ""
    return "" if piece in _BYTE_NAMED else written(piece, kind)


def shown(piece: str, kind: Kind) -> str:
    """An entry as people can read it: syllables for jamo, text for the letters of byte_bpe."""
    if kind != "byte_bpe":
        return unicodedata.normalize("NFC", piece)
    text = written(piece, kind)
    return text.replace(" ", SPACE) if isinstance(text, str) else "".join(BYTES[byte] for byte in text)


def true_spans(pieces: Sequence[str], offsets: Sequence[Span], text: str) -> list[Span]:
    """The engine's offsets, corrected in two cases.

    The sign of a space before the first word covers no character. Bytes of several unknown characters, which
    the unigram engine takes together, belong to one character each.
    """
    spans = list(offsets)
    if pieces and pieces[0] == SPACE:
        spans[0] = (0, 0)
    place = 0
    while place < len(spans):
        start, end = spans[place]
        if end - start > 1 and pieces[place] in _BYTE_NAMED:
            each = [(i, i + 1) for i in range(start, end) for _ in text[i].encode()]
            spans[place : place + len(each)] = each
        place += 1
    return spans


def _letters() -> dict[str, int]:
    """The 256 letters of byte-level BPE: printable Latin-1 is itself, the others follow from U+0100."""
    own = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in own]
    return {chr(byte): byte for byte in own} | {chr(0x100 + place): byte for place, byte in enumerate(others)}


_BYTE_OF_LETTER = _letters()
