"""Unicode NFC, with offsets into the text that the user typed."""

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class NormalisedText:
    """A normalised text with offsets into the original."""

    original: str
    text: str
    starts: Sequence[int] | None
    """Where character i of `text` begins in `original`, and one last entry for the end; None = unchanged.

    Characters that were made together, from one cluster, share its start."""

    def to_original(self, span: Span) -> Span:
        """Turn a span of `text` into the span of `original` that it was made from."""
        if self.starts is None:
            return span
        start, end = span
        if start == end:
            return self.starts[start], self.starts[start]
        after = bisect_right(self.starts, self.starts[end - 1])  # where the next cluster begins
        return self.starts[start], self.starts[min(after, len(self.starts) - 1)]

    def from_original(self, span: Span) -> Span:
        """Turn a span of `original` into the span of `text` that it took part in."""
        if self.starts is None:
            return span
        start, end = span
        cluster = self.starts[bisect_right(self.starts, start) - 1]
        first = bisect_left(self.starts, cluster)
        return first, max(first, bisect_left(self.starts, end))


def normalise(text: str) -> NormalisedText:
    """Bring a text into NFC.

    Composition never crosses a cluster: a starter with the marks, and the Hangul jamo, that follow it.
    So each cluster is composed on its own, and each composed character knows its cluster.
    """
    if unicodedata.is_normalized("NFC", text):
        return NormalisedText(text, text, None)
    pieces: list[str] = []
    starts: list[int] = []
    for start, end in _clusters(text):
        composed = unicodedata.normalize("NFC", text[start:end])
        pieces.append(composed)
        starts.extend([start] * len(composed))
    starts.append(len(text))
    return NormalisedText(text, "".join(pieces), tuple(starts))


def _clusters(text: str) -> list[Span]:
    starts = [i for i, char in enumerate(text) if i == 0 or not joins_the_one_before(char)]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def joins_the_one_before(char: str) -> bool:
    """Whether a character may compose with, or be sorted among, those before it.

    Marks of every kind; the vowels and final consonants of decomposed Hangul; one letter of Kirat Rai.
    """
    return (
        "\u1161" <= char <= "\u11c2"
        or char == "\U00016d67"
        or unicodedata.category(char) in ("Mc", "Mn", "Me")
        or bool(unicodedata.combining(char))
    )
