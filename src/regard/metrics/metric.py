"""Every metric: its range, which way is better, how it is written. Whoever shows a score looks here."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Metric:
    """What is known of a metric; by default it is a share, and more is better."""

    name: str
    title: str = ""
    """In a figure, where that is not the name."""
    lower_is_better: bool = False
    range: tuple[float, float] = (0.0, 1.0)
    """The least and the most."""
    decimals: int = 3
    """How many a person looks at."""
    needs_model: str = ""
    """Why a file of outputs does not have it; empty where it has."""
    on_request: bool = False
    """Whether it is computed only where somebody asks for it by name."""


_PERCENT = (0.0, 100.0)
_CORRELATION = (-1.0, 1.0)
_OF_ATTENTION = "it is read from the attention of a model, and a file of outputs has none"

METRICS = {
    metric.name: metric
    for metric in (
        Metric("bleu", "BLEU", range=_PERCENT, decimals=2),
        Metric("chrf", "chrF", range=_PERCENT, decimals=2),
        Metric("ter", "TER", lower_is_better=True, range=(0.0, math.inf), decimals=2),
        Metric("aer", "AER", lower_is_better=True, needs_model=_OF_ATTENTION),
        Metric("alignment_precision", "alignment precision", needs_model=_OF_ATTENTION, on_request=True),
        Metric("alignment_recall", "alignment recall", needs_model=_OF_ATTENTION, on_request=True),
        Metric("alignment_f1", "alignment F1", needs_model=_OF_ATTENTION, on_request=True),
        Metric("accuracy"),
        Metric("macro_f1", "macro F1"),
        Metric("micro_f1", "micro F1"),
        Metric(
            "ece",
            "calibration error",
            lower_is_better=True,
            needs_model="it needs probabilities, and a file of outputs has none",
        ),
        Metric("spearman", range=_CORRELATION),
        Metric("pearson", range=_CORRELATION),
        Metric("mse", lower_is_better=True, range=(0.0, math.inf)),
        Metric("unknown_accuracy", needs_model="a file of outputs does not say which words are unknown"),
        Metric("span_f1", "span F1"),
        Metric("exact_match", "exact match"),
        Metric("f1", "F1"),
        Metric("perplexity", lower_is_better=True, range=(1.0, math.inf), decimals=2),
        Metric("retrieval"),
        Metric("mrr", "MRR"),
    )
}
"""All that a user can ask for, by name; those of attention come by themselves."""


def metric_named(name: str) -> Metric:
    """What is known of a score; of one that is not in the list, such as a probability, that it is a share."""
    return METRICS.get(name) or Metric(name)
