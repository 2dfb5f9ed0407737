"""What a text, once repaired, can still be remarkable for, and what two sides can disagree in."""

import re
from collections import Counter
from itertools import pairwise

from regard.doctor.scripts import Writing

LONGEST = 1000
"""Characters; a longer text is hardly a sentence, and training leaves out what has too many tokens."""
_REMARKABLE = re.compile(
    "[�ㄱ-ㆌㆎᄀ-ᇿꥠ-ꥼힰ-ퟻ\ue000-\uf8ff\ufdd0-\ufdef\ufffc\ufffe\uffff\U000f0000-\U0010ffff]"
)
_SIGNS = (
    ("replacement", re.compile("�")),
    ("single-jamo", re.compile("[ㄱ-ㆌㆎ]")),  # ㆍ is used as a dot between words
    ("old-hangul", re.compile("[ᄀ-ᇿꥠ-ꥼힰ-ퟻ]")),
    ("private-use", re.compile("[\ue000-\uf8ff\ufdd0-\ufdef\ufffc\ufffe\uffff\U000f0000-\U0010ffff]")),
)

TAG = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|body|br|button|center|cite|code|dd|div|dl|dt|em|font|form|h[1-6]|head|hr|html"
    r"|i|iframe|img|input|kbd|li|link|meta|ol|p|pre|s|script|small|span|strong|style|sub|sup|table|tbody|td|th"
    r"|title|tr|tt|u|ul)\b(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_WORD = re.compile(r"[가-힣]|[^\W\d_]{2}")
"""Not %s nor 0."""
_LETTER_RUN, _WORD_RUN = 10, 4
_SAME_LETTER = re.compile(rf"([^\W\d_])\1{{{_LETTER_RUN - 1}}}")

Fault = tuple[str, int]
"""A check, and the character of the text at which to look."""


def text_faults(text: str, words: list[str], writing: Writing | None) -> list[Fault]:
    """What is remarkable. Cheap questions first: most texts pass them all.

    words: the text between its spaces
    """
    faults: list[Fault] = []
    if not text.isascii() and _REMARKABLE.search(text):
        faults += [(check, found.start()) for check, sign in _SIGNS if (found := sign.search(text))]
    if writing is not None and writing.is_wrong(text):
        faults.append(("wrong-script", 0))
    elif writing is not None and not text.isascii() and (found := writing.foreign.search(text)):
        faults.append(("foreign-letters", found.start()))
    if "<" in text and (found := TAG.search(text)):
        faults.append(("tag", found.start()))
    if len(text) > LONGEST:
        faults.append(("too-long", 0))
    if not _LETTER_OR_DIGIT.search(text):
        faults.append(("no-words", 0))
    if (place := _repetition(text, words)) is not None:
        faults.append(("repeated", place))
    return faults


def _repetition(text: str, words: list[str]) -> int | None:
    if max(map(len, words)) >= _LETTER_RUN and (found := _SAME_LETTER.search(text)):
        return found.start()
    if len(words) < _WORD_RUN or len(set(words)) > len(words) - _WORD_RUN + 1:
        return None
    run = 1
    for before, word in pairwise(words):
        run = run + 1 if word == before and _WORD.search(word) else 1
        if run == _WORD_RUN:
            return text.index(word)
    return None


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
