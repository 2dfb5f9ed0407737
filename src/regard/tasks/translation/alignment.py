"""Word alignment by attention: each target word with the source word of the largest weight."""

import math
from collections.abc import Sequence
from dataclasses import replace

from regard.data.alignments import AlignedRow, GoldLinks, gold_links
from regard.data.pairs import Pair
from regard.insight.record import AttentionRecord
from regard.insight.token_axis import TokenAxis
from regard.metrics.alignment import alignment_error_rate
from regard.tasks.translation.predictor import Translator
from regard.text.words import Links, between_spaces


def dev_alignment(translator: Translator, pairs: Sequence[Pair]) -> float | None:
    """The alignment error rate of forced references; None without gold or cross-attention."""
    if not translator.network.cross_attention:
        return None
    gold = [(pair, own) for pair, own in zip(pairs, gold_links_of(pairs), strict=True) if own is not None]
    forced = translator.force([(pair.source, pair.target) for pair, _ in gold])
    rate = alignment_error_rate(
        (attention_alignment(output.attention, tokens=own.words == "token"), own.sure, own.possible)
        for output, (_, own) in zip(forced, gold, strict=True)
    )
    return None if math.isnan(rate) else rate


def gold_links_of(pairs: Sequence[Pair]) -> list[GoldLinks | None]:
    """The alignments that a corpus has, each file by itself."""
    files: dict[str, list[int]] = {}
    for row, pair in enumerate(pairs):
        files.setdefault(pair.where.rpartition(":")[0], []).append(row)
    found: list[GoldLinks | None] = [None] * len(pairs)
    for rows in files.values():
        some = [pairs[row] for row in rows]
        aligned = gold_links([AlignedRow(pair.source, pair.target, pair.where, pair.links) for pair in some])
        for row, own in zip(rows, aligned, strict=True):
            found[row] = own
    return found


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
