"""Word links from attention: what is counted, and which source word a target word attends to."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from regard.data.alignments import Words
from regard.insight.maps import Unit, Weights
from regard.insight.record import AttentionRecord
from regard.insight.token_axis import TokenAxis
from regard.text.words import Links, between_spaces

AlignmentUnit = Literal["words", "eojeol", "morphemes", "tokens"]
"""What links count. words: punctuation apart, as pictures have them; eojeol: whatever stands between spaces,
as Moses, fast_align and their files count; Korean morphemes; or the tokens of the model."""
UNITS: dict[Words, AlignmentUnit] = {"word": "words", "token": "eojeol"}
"""What the two ways in which gold is counted are called."""


@dataclass(frozen=True, eq=False)
class WordWeights:
    """What a link is read from: the attention between the words of a pair."""

    weights: Weights
    """(target words, source words)."""
    ends: Weights
    """(target words,): what goes to the end of the source, </s>."""
    rows: tuple[str, ...]
    columns: tuple[str, ...]

    @classmethod
    def of(cls, record: AttentionRecord, unit: AlignmentUnit) -> "WordWeights":
        """The chosen heads, or the mean of all, word by word."""
        counted, record = counted_in(record, unit)
        shown = record.words(counted)
        rows, columns = record.sides(shown.kind)
        down, across = rows.shown(shown.rows), columns.shown(shown.columns)
        inner = shown.weights[down, across]
        ends = shown.weights[down].sum(axis=1) - inner.sum(axis=1)
        return cls(inner, ends, shown.rows[down], shown.columns[across])

    def links(self, threshold: float | None) -> Links:
        """(source word, target word) of each link."""
        if not self.weights.size:
            return frozenset()
        if threshold is not None:
            found = np.argwhere(self.weights >= threshold).tolist()
            return frozenset((source, target) for target, source in found)
        best = self.weights.argmax(axis=1).tolist()
        return frozenset((source, target) for target, source in enumerate(best))

    def unaligned(self) -> list[int]:
        """Target words whose largest weight goes to the end of the source."""
        places: list[int] = np.flatnonzero(self.ends > self.weights.max(axis=1, initial=0.0)).tolist()
        return places


def counted_in(record: AttentionRecord, unit: AlignmentUnit) -> tuple[Unit, AttentionRecord]:
    """The unit of its maps, and the record whose words are what is to be counted."""
    if unit != "eojeol":
        return unit, record
    return "words", replace(record, source=_spaced(record.source), target=_spaced(record.target))


def _spaced(side: TokenAxis | None) -> TokenAxis | None:
    return None if side is None else replace(side, given=tuple(between_spaces(side.text)))


def attention_links(record: AttentionRecord, unit: AlignmentUnit = "words") -> Links:
    """Link each target word and the source word of its largest weight; </s> takes no part on either side."""
    return WordWeights.of(record, unit).links(None)
