"""What one text, once repaired, can still be remarkable for."""

import re
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
