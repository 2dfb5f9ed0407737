"""Signs that should not be in a text, as classes of characters; and a quick look whether there are any."""

import re
import unicodedata

from regard.doctor.mojibake import RARE_SYLLABLES

CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff"
INVISIBLE = (
    "\xad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0001-\U000e007f"
)
WIDE_SPACE, FILLER = "\u3000", "\u3164"
SPACES = f"\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f{WIDE_SPACE}{FILLER}\uffa0"
FULL_WIDTH = "\uff01-\uff9f\uffa1-\uffdc\uffe0-\uffee"
JAMO = "\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff"
LATIN_OF = str.maketrans("аеорсухіѕјАВЕКМНОРСТХІЅЈοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxisjABEKMHOPCTXISJoABEZHIKMNOPTYX")
LOOKALIKE = "".join(map(chr, LATIN_OF))

_ASCII = re.compile(r"[\x00-\x08\x0b-\x1f\x7f&\\]")
_ANY = re.compile(f"[{CONTROL}\r{INVISIBLE}{SPACES}{FULL_WIDTH}{JAMO}{RARE_SYLLABLES}{LOOKALIKE}&\\\\]")
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
