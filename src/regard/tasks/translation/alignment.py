"""Word alignments of forced references, beside those of a person."""

import math
from collections.abc import Sequence

from regard.data.alignments import GoldLinks
from regard.data.pairs import Pair, pair_links
from regard.insight.word_links import UNITS, attention_links
from regard.metrics.alignment import Alignment, alignment_error_rate
from regard.tasks.translation.predictor import Translator


def forced_alignments(
    translator: Translator, pairs: Sequence[Pair], gold: Sequence[GoldLinks]
) -> list[Alignment]:
    """The links of the attention when the references are forced, each with the sure and possible ones."""
    texts = [(pair.source, pair.target) for pair in pairs]
    records = translator.read_pairs(texts, [pair.where for pair in pairs])
    return [
        (attention_links(record, UNITS[own.words]), own.sure, own.possible)
        for record, own in zip(records, gold, strict=True)
    ]


def dev_alignment(translator: Translator, pairs: Sequence[Pair]) -> float | None:
    """The alignment error rate of forced references; None without gold or cross-attention."""
    if not translator.network.cross_attention:
        return None
    gold = [(pair, own) for pair, own in zip(pairs, pair_links(pairs), strict=True) if own is not None]
    rate = alignment_error_rate(
        forced_alignments(translator, [pair for pair, _ in gold], [own for _, own in gold])
    )
    return None if math.isnan(rate) else rate
