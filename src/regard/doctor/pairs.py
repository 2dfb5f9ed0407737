"""What two sides that should say the same can disagree in."""

import re
from collections import Counter

from regard.doctor.scripts import Writing
from regard.doctor.texts import TAG

_FEWEST_WORDS = 3
"""The same name on both sides is no missing translation; the same sentence is."""
_OVERLAP_WORDS, _OVERLAP = 5, 0.8
_LETTER = re.compile(r"[^\W\d_]")
_DIGITS = re.compile(r"\d[\d,]{2}")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:[,. \u00a0\u202f]\d{3})+(?!\d|[.,]\d)")
"""1,000 and 1.000 and 1 000."""
_SEPARATOR = re.compile(r"\D")
_NUMBER = re.compile(r"\d{3,}")
_UNIT = re.compile(
    r"\d\s*(?:[십백천만억조]|hundred|thousand|million|billion|trillion|[KMB]\b)", re.IGNORECASE
)
"""Korean counts by ten thousands: 3만 is 30,000, so such numbers are not compared."""
_SLOT_SIGNS = re.compile(r"[%{<$]")
_SLOT = re.compile(
    r"%\([A-Za-z_]\w*\)|\$?\{[A-Za-z_0-9]*(?:[.:!][\w.,+<>=-]*)?\}"
    r"|(?:(?<![\d%])|(?<=%\d))(%)(?:\d+\$)?(?:-(?=\d)|[+#0])*\d*(?:\.\d+)?(?:hh?|ll?|[zjtL])?(?:[diouxXeEfgGcs]|(?<=\d))"
)
"""A name in brackets as it is; of %s, %2$d, %1 only that there is one: their order and form may differ."""
_TAG_NAME = re.compile(r"</?\w+")


def pair_faults(texts: tuple[str, str], *, same_form: bool, same_script: bool) -> list[str]:
    """What the sides disagree in.

    same_form:   they are equal but for case, spacing, punctuation and the values of numbers
    same_script: both are written in one script, so that a copied sentence can be told only by its words
    """
    faults: list[str] = []
    if (same_form or same_script) and _is_untranslated(*texts, same_form=same_form):
        faults.append("untranslated")
    if any(map(_DIGITS.search, texts)) and _numbers_differ(*texts):
        faults.append("numbers")
    if any(map(_SLOT_SIGNS.search, texts)) and _slots(texts[0]) != _slots(texts[1]):
        faults.append("placeholders")
    return faults


def place_of(check: str, text: str) -> int:
    """Where to look in a side for what it disagrees in."""
    sign = {"numbers": _DIGITS, "placeholders": _SLOT_SIGNS}.get(check)
    found = sign.search(text) if sign else None
    return found.start() if found else 0


def share_a_script(writings: tuple[Writing | None, ...]) -> bool:
    """Whether both sides are written in the same, known script."""
    scripts = {writing.script for writing in writings if writing is not None}
    return len(writings) == 2 and None not in writings and len(scripts) == 1


def _is_untranslated(source: str, target: str, *, same_form: bool) -> bool:
    words, others = source.lower().split(), target.lower().split()
    if same_form:
        return len(words) >= _FEWEST_WORDS and _LETTER.search(source) is not None
    most = max(len(words), len(others))
    if most < _OVERLAP_WORDS:
        return False
    return len({*words} & {*others}) >= _OVERLAP * max(len({*words}), len({*others}))


def _numbers_differ(source: str, target: str) -> bool:
    if _UNIT.search(source) or _UNIT.search(target):
        return False
    source, target = _plain_numbers(source), _plain_numbers(target)
    return any(
        number not in other and not _is_round(number) and not _is_short_year(number, other)
        for text, other in ((source, target), (target, source))
        for number in _NUMBER.findall(text)
    )


def _plain_numbers(text: str) -> str:
    return _THOUSANDS.sub(lambda found: _SEPARATOR.sub("", found[0]), text)


def _is_round(number: str) -> bool:
    """Whether the number is likely to be a word on the other side: 100, 1000."""
    return not number[1:].strip("0")


def _is_short_year(number: str, other: str) -> bool:
    """Whether the other side has the year in two digits: 1946–58, les années 60."""
    return len(number) == 4 and re.search(rf"(?<!\d){number[2:]}(?!\d)", other) is not None


def _slots(text: str) -> Counter[str]:
    """The placeholders, and the tags without their attributes."""
    slots = Counter(found[1] or found[0] for found in _SLOT.finditer(text))
    if "<" in text:
        slots.update(name for tag in TAG.findall(text) for name in _TAG_NAME.findall(tag))
    return slots
