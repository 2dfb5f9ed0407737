"""Word links from attention: what is counted, and which source word a target word attends to."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from regard.data.alignments import Words
from regard.insight.alignment_heads import shifted
from regard.insight.maps import Unit, Weights
from regard.insight.record import AttentionRecord
from regard.insight.token_axis import TokenAxis, merge_to_words
from regard.text.normalise import Span
from regard.text.words import Links, between_spaces, word_spans

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
        """The chosen heads, or the mean of all, word by word: the weights of `record.words`, without maps."""
        counted, record = counted_in(record, unit)
        rows, columns = record.sides("cross")
        weights = merge_to_words(_aligning_weights(record), rows, columns, counted)
        row_words, column_words = rows.words(counted), columns.words(counted)
        down, across = rows.shown(row_words), columns.shown(column_words)
        inner = weights[down, across]
        ends = weights[down].sum(axis=1) - inner.sum(axis=1)
        return cls(inner, ends, row_words[down], column_words[across])

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


def _aligning_weights(record: AttentionRecord) -> Weights:
    """(target tokens, source tokens): the mean of the chosen heads, or of all over the source."""
    chosen = record.heads
    looks = [own for own in record.attentions if own.kind == "cross"]
    every = [own.weights if own.weights.ndim == 3 else own.weights[None] for own in looks]
    if chosen is None:
        return np.concatenate(every).mean(axis=0)  # type: ignore[no-any-return]
    there = {own.path: weights for own, weights in zip(looks, every, strict=True)}
    stacked = np.stack([there[one.path][one.head or 0] for one in chosen.heads])
    return shifted(stacked.mean(axis=0), chosen.shift)


def counted_in(record: AttentionRecord, unit: AlignmentUnit) -> tuple[Unit, AttentionRecord]:
    """The unit of its maps, and the record whose words are what is to be counted."""
    if unit in ("morphemes", "tokens"):
        return unit, record
    cut = between_spaces if unit == "eojeol" else word_spans
    # Words are looked for once: an axis that has them given does not search again.
    return "words", replace(record, source=_given(record.source, cut), target=_given(record.target, cut))


def _given(side: TokenAxis | None, cut: Callable[[str], list[Span]]) -> TokenAxis | None:
    return None if side is None else replace(side, given=tuple(cut(side.text)))


def attention_links(record: AttentionRecord, unit: AlignmentUnit = "words") -> Links:
    """Link each target word and the source word of its largest weight; </s> takes no part on either side."""
    return WordWeights.of(record, unit).links(None)
