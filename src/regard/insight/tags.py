"""Markup tags of a source sentence, put into its translation by attention."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from regard.insight.record import AttentionRecord
from regard.text.markup import Tag
from regard.text.normalise import Span
from regard.text.words import is_punctuation, word_spans

_Words = tuple[int, int]
"""The first word, and the one after the last."""


@dataclass
class _Element:
    """A tag with what it closes with and what stands between; or a tag that stands alone."""

    tag: Tag
    end: Tag | None = None
    inner: list["_Element"] = field(default_factory=list)


def put_tags(text: str, tags: Sequence[Tag], record: AttentionRecord) -> str:
    """The translation with the source's tags in it; each is there once, and they are nested as they were.

    A pair of tags goes around the run of words that attended to its words rather than to others: the run with
    the greatest sum of (weight inside - weight outside). A lone tag goes before the word that attended most
    to the word after it; one at the beginning or the end stays there.
    """
    words = word_spans(text)
    if record.reason is not None or not words:
        return "".join([*(tag.written for tag in tags if not tag.closes), text, *_closing(tags)])
    map_ = record.words()
    weights = np.asarray(map_.weights[: record.target_words, : record.source_words], dtype=np.float64)
    read = record.source.text if record.source else ""
    source = word_spans(read)
    sides = ((text, words), (read, source))
    marks = [[is_punctuation(own[start]) for start, _ in spans] for own, spans in sides]
    writer = _Writer(words, source, weights, *marks)
    writer.place(_nested(tags), (0, len(words)))
    return writer.written(text)


def _closing(tags: Sequence[Tag]) -> list[str]:
    return [tag.written for tag in tags if tag.closes]


def _nested(tags: Sequence[Tag]) -> list[_Element]:
    """The tree; a tag that closes nothing, or is never closed, stands alone."""
    top: list[_Element] = []
    open_: list[_Element] = []
    for tag in tags:
        match = next((e for e in reversed(open_) if e.tag.name == tag.name), None) if tag.closes else None
        if match is not None:
            while open_[-1] is not match:  # what was not closed in it stands alone
                left = open_.pop()
                siblings = open_[-1].inner
                siblings.extend(left.inner)
                left.inner = []
            open_.pop().end = tag
            continue
        element = _Element(tag)
        (open_[-1].inner if open_ else top).append(element)
        if tag.opens:
            open_.append(element)
    while open_:
        left = open_.pop()
        siblings = open_[-1].inner if open_ else top
        siblings.extend(left.inner)
        left.inner = []
    return top


def _flat(element: _Element) -> str:
    """An element's tags without any text."""
    inner = "".join(map(_flat, element.inner))
    return f"{element.tag.written}{inner}{element.end.written if element.end else ''}"


class _Writer:
    """Aligns the tags, then writes."""

    def __init__(
        self,
        words: list[Span],
        source: list[Span],
        weights: np.ndarray,
        is_mark: list[bool],
        source_is_mark: list[bool],
    ) -> None:
        self._words = words
        self._source = source
        self._weights = weights
        self._is_mark = is_mark
        self._source_is_mark = source_is_mark
        self._before: dict[int, list[str]] = {}
        self._after: dict[int, list[str]] = {}

    def place(self, elements: Sequence[_Element], within: _Words) -> None:
        """Give each element its words, none of which another has."""
        taken = np.zeros(len(self._words), dtype=bool)
        for element in elements:
            if element.end is None:
                self._place_alone(element.tag, within)
                continue
            if element.tag.place == element.end.place:
                self._place_alone(Tag(_flat(element), element.tag.place), within)
                continue
            run = self._best_run(element.tag.place, element.end.place, within, taken)
            if run is None:  # more elements than words
                self._after.setdefault(within[1] - 1, []).append(_flat(element))
                continue
            first, last = run
            taken[first:last] = True
            self._before.setdefault(first, []).append(element.tag.written)
            self.place(element.inner, (first, last))
            self._after.setdefault(last - 1, []).append(element.end.written)

    def _place_alone(self, tag: Tag, within: _Words) -> None:
        following = next((n for n, (_, end) in enumerate(self._source) if end > tag.place), None)
        first, last = within
        if following == 0:
            self._before.setdefault(first, []).append(tag.written)
        elif following is None:
            self._after.setdefault(last - 1, []).append(tag.written)
        else:
            best = first + int(self._weights[first:last, following].argmax())
            self._before.setdefault(best, []).append(tag.written)

    def _best_run(self, start: int, end: int, within: _Words, taken: np.ndarray) -> _Words | None:
        inside = np.array([s < end and e > start for s, e in self._source], dtype=bool)
        gains = self._weights @ np.where(inside, 1.0, -1.0)
        first, last = within
        best, run = (-np.inf, first, first), (0.0, first)
        for word in range(first, last):
            if taken[word]:
                run = (0.0, word + 1)
                continue
            total, begin = (run[0] + gains[word], run[1]) if run[0] > 0 else (gains[word], word)
            run = (total, begin)
            if total > best[0]:
                best = (total, begin, word + 1)
        return None if best[1] == best[2] else self._without_marks(best[1], best[2], inside)

    def _without_marks(self, first: int, last: int, inside: np.ndarray) -> _Words:
        """The run without punctuation at its ends, unless what the tags were around had some."""
        if any(self._source_is_mark[number] for number in np.flatnonzero(inside)):
            return first, last
        while last - first > 1 and self._is_mark[last - 1]:
            last -= 1
        while last - first > 1 and self._is_mark[first]:
            first += 1
        return first, last

    def written(self, text: str) -> str:
        parts: list[str] = []
        end = 0
        for number, (start, stop) in enumerate(self._words):
            parts += [text[end:start], *self._before.get(number, []), text[start:stop]]
            parts += self._after.get(number, [])
            end = stop
        return "".join([*parts, text[end:]])
