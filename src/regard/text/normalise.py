"""Unicode NFC at the door, with the way back to the characters that the user typed."""

import unicodedata
from dataclasses import dataclass

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Normalised:
    """A text in NFC, and where each of its characters came from."""

    original: str
    text: str
    starts: tuple[int, ...] | None
    """Where character i of `text` begins in `original`, and one last entry for the end; None = unchanged."""

    def to_original(self, span: Span) -> Span:
        """Turn a span of `text` into the span of `original` that it was made from."""
        if self.starts is None:
            return span
        start, end = span
        if start == end:
            return self.starts[start], self.starts[start]
        # Characters made from one cluster share its start, so the end is where the next cluster begins.
        last = self.starts[end - 1]
        return self.starts[start], next((s for s in self.starts[end:] if s > last), self.starts[-1])


def normalise(text: str) -> Normalised:
    """Bring a text into NFC.

    Composition never crosses a cluster: a starter with the marks, and the Hangul jamo, that follow it.
    So each cluster is composed on its own, and each composed character knows its cluster.
    """
    if unicodedata.is_normalized("NFC", text):
        return Normalised(text, text, None)
    pieces: list[str] = []
    starts: list[int] = []
    for start, end in _clusters(text):
        composed = unicodedata.normalize("NFC", text[start:end])
        pieces.append(composed)
        starts.extend([start] * len(composed))
    starts.append(len(text))
    return Normalised(text, "".join(pieces), tuple(starts))


def _clusters(text: str) -> list[Span]:
    starts = [i for i, char in enumerate(text) if i == 0 or not _joins_the_one_before(char)]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def _joins_the_one_before(char: str) -> bool:
    """Marks, and the vowels and final consonants of decomposed Hangul, may compose with what precedes."""
    return bool(unicodedata.combining(char)) or "\u1161" <= char <= "\u11c2" or _is_second_of_a_pair(char)


def _is_second_of_a_pair(char: str) -> bool:
    """The few spacing marks of other scripts, such as Indic vowel signs, that compose with a starter."""
    return unicodedata.category(char) in ("Mc", "Mn", "Me")
