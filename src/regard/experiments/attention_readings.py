"""Ways to read an alignment from the attention of a translator, and the error rate of each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from regard.data.pairs import Pair, pair_links
from regard.insight.record import AttentionRecord, LayerAttention
from regard.insight.word_links import UNITS, attention_links
from regard.metrics.alignment import AER, Alignment, alignment_statistics
from regard.metrics.statistics import Statistics
from regard.progress import track
from regard.tasks.translation.predictor import Translator

MEAN, NEXT = "mean", "mean of the next step"
"""Of all heads and layers; and the same when the next token is predicted, for it may be one step late."""
_TOGETHER = 256


def head_name(attention: LayerAttention, head: int | None) -> str:
    """What a head is called: its path, and its number."""
    return attention.path if head is None else f"{attention.path} head {head}"


def readings(record: AttentionRecord) -> Iterator[tuple[str, AttentionRecord]]:
    """The record with nothing in it but one reading of its cross-attention; every head, and two means."""
    cross = [one for one in record.attentions if one.kind == "cross"]
    maps = []
    for attention in cross:
        heads = attention.weights if attention.weights.ndim == 3 else attention.weights[None]
        for number, weights in enumerate(heads):
            name = head_name(attention, number if attention.weights.ndim == 3 else None)
            yield name, _only(record, attention, weights)
            maps.append(weights)
    mean = np.mean(maps, axis=0)
    yield MEAN, _only(record, cross[0], mean)
    yield NEXT, _only(record, cross[0], np.concatenate([mean[1:], mean[-1:]]))


def _only(record: AttentionRecord, attention: LayerAttention, weights: np.ndarray) -> AttentionRecord:
    return replace(record, attentions=(replace(attention, weights=weights),))


def reading_errors(
    translator: Translator, pairs: Sequence[Pair], *, quiet: bool = False
) -> Mapping[str, Statistics]:
    """The alignment error rate of every reading, when the references are forced."""
    gold = pair_links(pairs)
    found: dict[str, list[Alignment | None]] = {}
    starts = range(0, len(pairs), _TOGETHER)
    for first in track(starts, "aligning", unit="batches", every=1, quiet=quiet):
        rows = range(first, min(first + _TOGETHER, len(pairs)))
        forced = translator.force([(pairs[row].source, pairs[row].target) for row in rows])
        for row, output in zip(rows, forced, strict=True):
            own = gold[row]
            for name, record in readings(output.attention):
                links = None
                if own is not None:
                    links = attention_links(record, UNITS[own.words]), own.sure, own.possible
                found.setdefault(name, []).append(links)
    return {name: alignment_statistics(links)[AER] for name, links in found.items()}


def best_head(errors: Mapping[str, Statistics]) -> str:
    """The head with the lowest error; of equals the first."""
    heads = [name for name in errors if name not in (MEAN, NEXT)]
    return min(heads, key=lambda name: errors[name].value())
