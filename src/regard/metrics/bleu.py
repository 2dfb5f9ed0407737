"""Corpus scores of translations, by their reference implementation."""

from collections.abc import Sequence
from dataclasses import dataclass

import sacrebleu


@dataclass(frozen=True, slots=True)
class Score:
    """A score, and the signature that says how exactly it was computed."""

    value: float
    signature: str


def bleu(outputs: Sequence[str], references: Sequence[str]) -> Score:
    """BLEU (Papineni et al. 2002), cased, 13a tokenisation, as sacreBLEU computes it."""
    metric = sacrebleu.BLEU()
    return Score(metric.corpus_score(list(outputs), [list(references)]).score, str(metric.get_signature()))


def chrf(outputs: Sequence[str], references: Sequence[str]) -> Score:
    """The character F-score chrF2 (Popović 2015), as sacreBLEU computes it."""
    metric = sacrebleu.CHRF()
    return Score(metric.corpus_score(list(outputs), [list(references)]).score, str(metric.get_signature()))
