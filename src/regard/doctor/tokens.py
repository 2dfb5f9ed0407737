"""How well a vocabulary fits: tokens a word, and characters that it can only spell in bytes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from regard.config.text import BpeConfig
from regard.text.tokenizer import UNK, Encoding, Tokenizer

VOCABULARY = 8000
LEARNED_ON, MEASURED_ON = 20_000, 2_000
"""Rows, spread evenly over the corpus."""
_EVERY = 10
"""One row in so many is measured on, the others are learned on."""
_FEWEST = 1_000
"""Rows; a vocabulary learned on fewer says nothing."""
_BYTE = re.compile("<0x[0-9A-F]{2}>")
_LONGEST = 2_000
"""Characters of a text that are counted."""


@dataclass
class Sample:
    """Rows spread evenly over a corpus whose size is not known beforehand: every 2ⁿ-th."""

    most: int
    rows: list[tuple[str, ...]] = field(default_factory=list)
    _every: int = 1
    _met: int = 0

    def add(self, texts: tuple[str, ...]) -> None:
        """A row goes by."""
        if self._met % self._every == 0:
            self.rows.append(tuple(text[:_LONGEST] for text in texts))
            if len(self.rows) > self.most:
                del self.rows[1::2]
                self._every *= 2
        self._met += 1

    def learned_on(self) -> list[tuple[str, ...]]:
        """Most rows."""
        return [row for place, row in enumerate(self.rows) if place % _EVERY]

    def measured_on(self) -> list[tuple[str, ...]]:
        """The other rows."""
        return self.rows[::_EVERY]


@dataclass(frozen=True)
class Fit:
    """How a vocabulary fits one side of one file."""

    file: str
    side: str
    tokens_per_word: float
    tokens_per_character: float
    spelt_in_bytes: float
    """Share of the characters (without spaces) that are not in the vocabulary."""


def learn(samples: Sequence[Sample], sides: int, *, joint: bool) -> list[Tokenizer] | None:
    """A vocabulary for each side; one for both if they are of one language; None for too few rows."""
    rows = [row for sample in samples for row in sample.learned_on()]
    if len(rows) < _FEWEST:
        return None
    config = BpeConfig(vocabulary_size=VOCABULARY)
    if joint:
        return [Tokenizer.learn([_clean(text) for row in rows for text in row], config)] * sides
    return [Tokenizer.learn([_clean(row[side]) for row in rows], config) for side in range(sides)]


def measure(
    samples: Mapping[str, Sample], sides: Sequence[str], tokenizers: Sequence[Tokenizer]
) -> list[Fit]:
    """How the vocabularies fit each file, on rows that they were not learned on."""
    fits = []
    for file, sample in samples.items():
        rows = sample.measured_on()
        for side, (name, tokenizer) in enumerate(zip(sides, tokenizers, strict=True)):
            if rows:
                fits.append(_fit(file, name, [_clean(row[side]) for row in rows], tokenizer))
    return fits


def _fit(file: str, side: str, texts: list[str], tokenizer: Tokenizer) -> Fit:
    tokens = spelt = 0
    for encoding in tokenizer.encode_many(texts):
        tokens += len(encoding.ids)
        spelt += _spelt_in_bytes(encoding)
    words = sum(len(text.split()) for text in texts)
    characters = sum(len("".join(text.split())) for text in texts)
    return Fit(
        file,
        side,
        round(tokens / max(1, words), 3),
        round(tokens / max(1, characters), 3),
        round(spelt / max(1, characters), 6),
    )


def _spelt_in_bytes(encoding: Encoding) -> int:
    """Characters of a text that are no part of any entry; the bytes of one share its span."""
    tokens = zip(encoding.ids, encoding.pieces, encoding.spans, strict=True)
    spans = {span for token, piece, span in tokens if token == UNK or _BYTE.fullmatch(piece)}
    return sum(end - start for start, end in spans)


def _clean(text: str) -> str:
    """Half characters, which no vocabulary takes, are left out."""
    return text.encode("utf-8", "ignore").decode("utf-8")
