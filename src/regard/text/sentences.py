"""Sentence segmentation. Nothing is lost: between two sentences there is only white space."""

import re

from regard.text.normalise import Span

_END = re.compile(r"(?:[.!?…]+|[。！？]+)[\"'”’»」』）)\]]*(?=\s|$)|[。！？]+[”’」』）]*|\n")
_TITLES = frozenset(
    re.findall(
        r"\w+",
        "mr mrs ms dr prof st mt sr jr rev gen col capt lt sgt gov sen rep hon messrs mme fr "
        "no nr vol fig figs eq sec ch pp art dept univ approx ca cf vs al viz resp hrsg bzw",
    )
)
"""Words after which a full stop is part of the word, whatever comes next."""
_INSIDE = frozenset(("e.g", "i.e", "z.b", "d.h", "u.a", "z.t", "v.chr", "n.chr"))
_SMALL = re.compile(r"[a-zà-öø-ÿ]")
_NEXT = re.compile(r"\S")
_WORD = re.compile(r"\S+$")
_LONGEST = 40
"""Longer words are no abbreviations; so the time does not grow with what was read before."""


def sentence_spans(text: str) -> list[Span]:
    """The sentences, without the white space around them.

    A sentence ends with its mark and the quotes that close after it, where white space follows and the next
    word does not begin with a small letter. "Mr. Kim", "J. Smith", "3.5 kg", "e.g. here" and "1. Go." go on.
    """
    spans: list[Span] = []
    start = 0
    for mark in _END.finditer(text):
        if mark.group() == "\n" or _ends(text, start, mark.start(), mark.end()):
            spans.append((start, mark.end()))
            start = mark.end()
    spans.append((start, len(text)))
    return [trimmed for span in spans if (trimmed := _trimmed(text, span))]


def _ends(text: str, start: int, mark: int, end: int) -> bool:
    following = _NEXT.search(text, end)
    after = following.group() if following else ""
    if after and _SMALL.match(after):
        return False
    if text[mark:end] != ".":
        return True
    last = _WORD.search(text, max(start, mark - _LONGEST), mark)
    word = last.group().lstrip("([\"'“‘").lower() if last else ""
    if word in _TITLES or word in _INSIDE:
        return not after
    if len(word) == 1 and word.isalpha() and word.isascii():  # an initial
        return not after
    is_item = mark - start < _LONGEST and text[start:mark].strip().isdigit()  # the number of a list item
    return not (is_item and after)


def clause_spans(text: str) -> list[Span]:
    """The clauses of a sentence: up to a comma, a semicolon or a colon that white space follows."""
    spans: list[Span] = []
    start = 0
    for mark in re.finditer(r"[,;:，、；：](?=\s)", text):
        spans.append((start, mark.end()))
        start = mark.end()
    spans.append((start, len(text)))
    return [trimmed for span in spans if (trimmed := _trimmed(text, span))]


def _trimmed(text: str, span: Span) -> Span | None:
    start, end = span
    own = text[start:end]
    if not own.strip():
        return None
    return start + len(own) - len(own.lstrip()), end - (len(own) - len(own.rstrip()))
