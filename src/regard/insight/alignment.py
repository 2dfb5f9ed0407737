"""Word alignments from attention."""

from dataclasses import replace

from regard.insight.record import AttentionRecord
from regard.insight.token_axis import TokenAxis
from regard.text.words import Links, between_spaces


def attention_alignment(record: AttentionRecord, *, tokens: bool = False) -> Links:
    """Align each target word with the source word of the largest weight; </s> takes no part on either side.

    tokens: a word is whatever stands between spaces, also where punctuation belongs to it
    """
    if tokens:
        record = replace(record, source=_between_spaces(record.source), target=_between_spaces(record.target))
    words = record.words()
    weights = words.weights[: record.target_words, : record.source_words]
    if not weights.size:
        return frozenset()
    return frozenset((int(source), target) for target, source in enumerate(weights.argmax(axis=1)))


def _between_spaces(side: TokenAxis | None) -> TokenAxis | None:
    return None if side is None else replace(side, given=tuple(between_spaces(side.text)))
