"""Scores of translations by their reference implementation, sacreBLEU: BLEU, chrF and TER."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sacrebleu

from regard.errors import DataError
from regard.metrics.bootstrap import SEED
from regard.metrics.statistics import Statistics

References = Sequence[Sequence[str]]
"""The references of each sentence; the number may differ from sentence to sentence."""

_METRICS: dict[str, Callable[[], Any]] = {
    "bleu": lambda: sacrebleu.BLEU(force=True),  # it does not ask whether the text was tokenised
    "chrf": sacrebleu.CHRF,
    "ter": sacrebleu.TER,
}
METRICS = tuple(_METRICS)
"""BLEU (Papineni et al. 2002), cased, 13a tokenisation; the character F-score chrF2 (Popović 2015); the
translation edit rate (Snover et al. 2006), where less is better. All from 0 to 100, TER also above."""


@dataclass(frozen=True, slots=True)
class Score:
    """A score, and the signature that says how exactly it was computed."""

    value: float
    signature: str


def bleu(outputs: Sequence[str], references: Sequence[str]) -> Score:
    """BLEU of a corpus with one reference a sentence."""
    return _score("bleu", outputs, references)


def chrf(outputs: Sequence[str], references: Sequence[str]) -> Score:
    """The character F-score of a corpus with one reference a sentence."""
    return _score("chrf", outputs, references)


def ter(outputs: Sequence[str], references: Sequence[str]) -> Score:
    """The translation edit rate of a corpus with one reference a sentence."""
    return _score("ter", outputs, references)


def translation_statistics(
    metric: str, outputs: Iterable[str], references: References, *, samples: int = 0, seed: int = SEED
) -> Statistics:
    """What sacreBLEU counts in each sentence, and its way from sums to a score.

    metric:  one of `METRICS`
    samples: how many resamples its signature names, drawn by which seed; 0 = none are made
    """
    counter = _METRICS[metric]()
    most = max(map(len, references), default=1)
    streams = [[row[i] if i < len(row) else None for row in references] for i in range(most)]
    counts = counter._extract_corpus_statistics(outputs, streams)
    if len(counts) != len(references):
        raise DataError(f"expected {len(references):,} outputs, one a sentence, found {len(counts):,}")
    if samples:
        counter.n_bootstrap, counter.seed = samples, str(seed)
    return Statistics(
        np.array(counts, dtype=np.float64),
        _scoring(counter),
        _scoring(sacrebleu.BLEU(effective_order=True)) if metric == "bleu" else None,
        str(counter.get_signature()),
    )


def _scoring(counter: Any) -> Callable[[list[float]], float]:
    return lambda sums: float(counter._compute_score_from_stats(sums).score)


def _score(metric: str, outputs: Sequence[str], references: Sequence[str]) -> Score:
    statistics = translation_statistics(metric, outputs, [[reference] for reference in references])
    return Score(statistics.value(), statistics.signature)
