"""Text that was decoded with the wrong encoding, and lines in another one: put right where it is sure.

Three accidents are known: UTF-8 read as Windows-1252 (Ã© for é, ì•ˆ for 안), CP949 read as Latin-1 (¾È³ç
for 안녕, ¡¯ for ’), and UTF-8 read as CP949 (rare syllables such as 븞뀞). Each is undone only where text
comes out.
"""

import re

_C1252 = {byte: bytes([byte]).decode("cp1252", errors="replace") for byte in range(0x80, 0xA0)}
_BYTES = {ord(char): byte for byte, char in _C1252.items() if char != "\ufffd"}
"""The signs that Windows-1252 has for the bytes 80 to 9F."""
_SIGNS = "".join(map(chr, _BYTES))
_QUOTES = "‘’“”–—…"
_GOES_ON = f"[\x80-\xbf{_SIGNS}]"
# Of two bytes only é and its like (À to ÿ, « to ¿): the rest looks like the end of a quotation, É», MÃ”.
_TWO = f"[ÂÃ][\x80-\xbf{''.join(sign for sign in _SIGNS if sign not in _QUOTES)}]"
_ONE_CHARACTER = f"(?:{_TWO}|[à-ï]{_GOES_ON}{{2}}|[ð-ó]{_GOES_ON}{{3}})"
_UTF8_AS_1252 = re.compile(f"{_ONE_CHARACTER}+")
_CP949_AS_LATIN = re.compile("[¡-þ]{2}(?:[ -~]{0,3}[¡-þ]{2})+")
"""Korean has two bytes a syllable, and spaces between words."""
_CP949_SIGNS = {"¡®": "‘", "¡¯": "’", "¡°": "“", "¡±": "”", "¡ª": "―", "¡¤": "·", "¢æ": "€"}
_BIG5_SIGNS = {"¡¥": "‘", "¡§": "“", "¡¨": "”"}
_SIGN_OF = {**_CP949_SIGNS, **_BIG5_SIGNS, "¡¦": "’"}
_SIGNS_AS_LATIN = re.compile(rf"{'|'.join([*_CP949_SIGNS, *_BIG5_SIGNS])}|(?<=[A-Za-z])¡¦(?=[a-z])")
"""Quotes in English text that was CP949 or Big5: Macy¡¯s, America¡¦s. No Spanish word begins like this."""
_SURE = re.compile("[\xa0-\xff\u2000-\u2bff]|..+", re.DOTALL)
"""What may come out: a sign of European text, or more than one character; é”— alone is no 闗."""
_CONTROLS = re.compile("[\x80-\x9f]")
"""Signs that stand in no text by themselves."""
_HANGUL = re.compile("[가-힣]")
_KS_X_1001 = frozenset(
    bytes([lead, trail]).decode("euc_kr") for lead in range(0xB0, 0xC9) for trail in range(0xA1, 0xFF)
)
"""The 2,350 syllables in common use."""
RARE_SYLLABLES = "".join(sorted({*map(chr, range(0xAC00, 0xD7A4))} - _KS_X_1001))
_NOT_ASCII = re.compile("[^\x00-\x7f]")


def redecoded(text: str, *, korean: bool) -> str:
    """The text with what was decoded wrongly decoded again.

    korean: the text should be Korean; only then are the accidents of CP949 checked
    """
    text = _UTF8_AS_1252.sub(lambda found: _from_1252(found[0], korean=korean), text)
    if korean:
        text = _CP949_AS_LATIN.sub(lambda found: _from_latin(found[0]), _from_949(text))
    return _SIGNS_AS_LATIN.sub(lambda found: _SIGN_OF[found[0]], text)


def _from_1252(seen: str, *, korean: bool) -> str:
    try:
        right = bytes(_BYTES.get(ord(char), ord(char)) for char in seen).decode("utf-8")
    except (ValueError, UnicodeDecodeError):
        return seen
    is_sure = _SURE.fullmatch(right) or _CONTROLS.search(seen) or (korean and _HANGUL.match(right))
    return right if is_sure else seen


def _from_latin(seen: str) -> str:
    is_varied = len({*seen}) > 3  # a row of dots (···· or °°°°) is no text
    return (is_varied and _as_korean(seen.encode("latin-1"))) or seen


def _from_949(text: str) -> str:
    """It shows by syllables that nobody uses, and hardly ever makes UTF-8 by chance."""
    try:
        right = text.encode("cp949").decode("utf-8")
    except UnicodeError:
        return text
    return right if _is_usual_korean(right) else text


def decode_line(raw: bytes) -> str | None:
    """A line that is not UTF-8: as CP949 if it is Korean, as Windows-1252 if it is text; None if unsure."""
    if b"\x00" in raw:
        return None
    if (korean := _as_korean(raw)) is not None:
        return korean
    try:
        text = raw.decode("cp1252")
    except UnicodeDecodeError:
        return None
    odd = _NOT_ASCII.findall(text)
    letters = sum(sign.isalpha() or sign in "’‘“”«»–—…°€£§ß" for sign in odd)
    is_text = letters == len(odd) and len(odd) * 4 <= len(text) and not _UTF8_AS_1252.search(text)
    return text if is_text else None


def _as_korean(raw: bytes) -> str | None:
    """The bytes as CP949, if nearly all that is not ASCII becomes syllables in use."""
    try:
        text = raw.decode("cp949")
    except UnicodeDecodeError:
        return None
    return text if _is_usual_korean(text) else None


def _is_usual_korean(text: str) -> bool:
    odd = _NOT_ASCII.findall(text)
    return bool(odd) and sum(char in _KS_X_1001 for char in odd) >= 0.9 * len(odd)
