"""Precision, recall and F1 of spans: a span is correct if its type and both boundaries are.

What seqeval computes in its default mode, which is that of conlleval; it has no numbers a sentence, which
intervals and paired tests need.
"""

from collections.abc import Sequence

import numpy as np

from regard.errors import DataError
from regard.metrics.f_score import ClassScore, Mean, Measure, class_scores, f_statistics
from regard.metrics.statistics import Floats, Statistics
from regard.text.span_labels import spans_of

TagSequence = Sequence[str]
"""A label for each word of a sentence, in BIO or BIOES."""


def span_statistics(
    said: Sequence[TagSequence],
    right: Sequence[TagSequence],
    *,
    measure: Measure = "f1",
    mean: Mean = "micro",
) -> Statistics:
    """Precision, recall or F1 of the spans."""
    _, counts = _counted(said, right)
    return f_statistics(*counts, measure=measure, mean=mean)


def span_scores(said: Sequence[TagSequence], right: Sequence[TagSequence]) -> dict[str, ClassScore]:
    """Precision, recall and F1 of each type, in the order of their names."""
    kinds, counts = _counted(said, right)
    return dict(zip(kinds, class_scores(*counts), strict=True))


def _counted(
    said: Sequence[TagSequence], right: Sequence[TagSequence]
) -> tuple[list[str], tuple[Floats, Floats, Floats]]:
    """The types, and the counts of each sentence: true positives, predicted, gold; (n, types) each."""
    if list(map(len, said)) != list(map(len, right)):
        raise DataError(f"expected a label for each word of {len(right):,} sentences; {_where(said, right)}")
    pairs = [(spans_of(one), spans_of(other)) for one, other in zip(said, right, strict=True)]
    kinds = sorted({span.kind for pair in pairs for spans in pair for span in spans})
    place = {kind: number for number, kind in enumerate(kinds)}
    counts = np.zeros((3, len(pairs), len(kinds)))
    for row, (found, there) in enumerate(pairs):
        for part, spans in enumerate((found & there, found, there)):
            for span in spans:
                counts[part, row, place[span.kind]] += 1
    return kinds, (counts[0], counts[1], counts[2])


def _where(said: Sequence[TagSequence], right: Sequence[TagSequence]) -> str:
    if len(said) != len(right):
        return f"found {len(said):,} sentences"
    row = next(row for row, pair in enumerate(zip(said, right, strict=True)) if len(pair[0]) != len(pair[1]))
    return f"sentence {row + 1:,} has {len(right[row])} words, found {len(said[row])} labels"
