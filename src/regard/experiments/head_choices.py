"""Choices of heads that may align words, and the alignment error rate of each."""

from collections.abc import Mapping, Sequence

from regard.analysis.head_search import find_heads
from regard.data.pairs import Pair, pair_links
from regard.inference.attention import heads_in
from regard.metrics.alignment import AER, Alignment, alignment_statistics
from regard.metrics.statistics import Statistics
from regard.store.alignment import AlignmentHeads
from regard.tasks.translation.alignment import forced_alignments
from regard.tasks.translation.predictor import Translator

BEST, CHOSEN, MEAN, NEXT = "best", "chosen", "mean", "next"
"""The best head alone; what `regard align --find-heads` chooses, a head or the mean of several; all heads;
and all when the next token is predicted, for they may be one step late."""


def head_choices(model: Translator, pairs: Sequence[Pair]) -> dict[str, AlignmentHeads]:
    """What to measure of a model; heads are chosen by their error on these pairs."""
    placed = [(pair.where, (pair.source, pair.target)) for pair in pairs]
    found = find_heads(model, placed, gold=pair_links(pairs))
    best = next(own.heads for own in found.candidates if len(own.heads.heads) == 1 and own.heads.shift == 0)
    every = tuple(heads_in(model.module, model.network.cross_attention))
    return {BEST: best, CHOSEN: found.best, MEAN: AlignmentHeads(every), NEXT: AlignmentHeads(every, 1)}


def choice_errors(
    model: Translator, pairs: Sequence[Pair], choices: Mapping[str, AlignmentHeads]
) -> dict[str, Statistics]:
    """The alignment error rate of each choice, when the references are forced."""
    gold = {row: own for row, own in enumerate(pair_links(pairs)) if own is not None}
    found, before = {}, model.alignment_heads
    for name, heads in choices.items():
        model.alignment_heads = heads
        aligned: list[Alignment | None] = [None] * len(pairs)
        forced = forced_alignments(model, [pairs[row] for row in gold], list(gold.values()))
        for row, alignment in zip(gold, forced, strict=True):
            aligned[row] = alignment
        found[name] = alignment_statistics(aligned)[AER]
    model.alignment_heads = before
    return found
