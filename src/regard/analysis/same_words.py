"""Which words two texts have in common, and how attention over these differs."""

import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np

from regard.analysis.alignment import AlignmentOptions, WordAlignment, word_alignment
from regard.insight.maps import AttentionMap, Weights
from regard.insight.record import MAIN, AttentionRecord
from regard.metrics.statistics import Floats

WordPairs = list[tuple[int, int]]
"""Places in two texts, counted from 0, in order."""


def common_words(first: Sequence[str], second: Sequence[str]) -> WordPairs:
    """The words that stand in both, in the same order; Unicode form and case do not count."""
    match = SequenceMatcher(None, _plain(first), _plain(second), autojunk=False)
    return [(a + n, b + n) for a, b, size in match.get_matching_blocks() for n in range(size)]


def placed_words(first: Sequence[str], second: Sequence[str]) -> WordPairs:
    """The same, and words that another stands in the place of, one for one."""
    match = SequenceMatcher(None, _plain(first), _plain(second), autojunk=False)
    found: WordPairs = []
    for _, start, end, other, last in match.get_opcodes():
        if end - start == last - other:
            found += zip(range(start, end), range(other, last), strict=True)
    return found


def word_maps(record: AttentionRecord) -> tuple[AttentionMap, ...]:
    """The main attention over the words of each text, special tokens left out; none where there is none."""
    if record.reason is not None or record.main not in MAIN:
        return ()
    texts = {look.text for look in record.attentions if look.kind == record.main}
    return tuple(record.words(specials=False, text=text) for text in sorted(texts))


def map_distance(before: Sequence[AttentionMap], after: Sequence[AttentionMap]) -> float:
    """Total variation of attention over the words that both texts have: the mean over rows, then texts.

    Each row is ½ Σ |a − b|, both scaled to a sum of 1 over the common words. NaN where there is no map.
    """
    found = [_text_distance(old, new) for old, new in zip(before, after, strict=False)]
    known = [value for value in found if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


def _text_distance(old: AttentionMap, new: AttentionMap) -> float:
    columns = common_words(old.columns, new.columns)
    rows = common_words(old.rows, new.rows)
    if not columns or not rows:
        return float("nan")
    p, q = (
        _scaled(each.weights[np.ix_([row[side] for row in rows], [column[side] for column in columns])])
        for side, each in enumerate((old, new))
    )
    apart = np.abs(p - q).sum(axis=1) / 2
    return float(np.nanmean(apart)) if not np.isnan(apart).all() else float("nan")


def link_distance(before: WordAlignment, after: WordAlignment) -> float:
    """The share of links that only one of two alignments has, of all links between words that both have.

    NaN where neither has such a link.
    """
    sources = dict(common_words(before.source_words, after.source_words))
    targets = dict(common_words(before.target_words, after.target_words))
    kept, there = set(sources.values()), set(targets.values())
    old = {(sources[i], targets[j]) for i, j in before.pairs if i in sources and j in targets}
    new = {(i, j) for i, j in after.pairs if i in kept and j in there}
    return len(old ^ new) / len(old | new) if old | new else float("nan")


def aligned(source: str, target: str, record: AttentionRecord) -> WordAlignment:
    """The word alignment of a translation, as `regard align` gives it."""
    return word_alignment(source, target, record, AlignmentOptions())


def _plain(words: Sequence[str]) -> list[str]:
    return [unicodedata.normalize("NFC", word).casefold() for word in words]


def _scaled(weights: Weights) -> Floats:
    """Rows that sum to 1; NaN where a row has no weight at all."""
    numbers: Floats = weights.astype(np.float64)
    sums = numbers.sum(axis=1, keepdims=True)
    found: Floats = np.divide(numbers, sums, out=np.full_like(numbers, np.nan), where=sums > 0)
    return found
