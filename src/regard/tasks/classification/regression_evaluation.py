"""How good numbers are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.errors import DataError
from regard.evaluation.scores import check_metrics, check_rows, evaluation_of
from regard.evaluation.test_set import TestSet
from regard.metrics.bootstrap import SAMPLES, SEED
from regard.metrics.correlation import pearson_statistics, spearman_statistics
from regard.metrics.statistics import Floats, Statistics, mean_of
from regard.tasks.classification.outputs import AnswerEvaluation, classified
from regard.tasks.classification.predictor import Classifier
from regard.tasks.classification.result import Rating

METRICS = ("spearman", "pearson", "mse")
"""Spearman's and Pearson's correlation with what is right, -1 to 1; the mean squared error, in the units of
the corpus, where less is better."""
_MAKERS: dict[str, Callable[[Sequence[float], Sequence[float]], Statistics]] = {
    "spearman": spearman_statistics,
    "pearson": pearson_statistics,
    "mse": lambda said, right: mean_of(np.square(np.subtract(said, right))),
}


@dataclass(frozen=True, repr=False)
class NumberEvaluation(AnswerEvaluation):
    """Scores of the numbers said of a corpus."""

    values: tuple[float, ...] = ()
    """What was said, in full."""

    def of_sentences(self) -> tuple[str, Floats]:
        """How near each number is: less its distance."""
        right = np.array([float(pair.target) for pair in self.test_set.pairs])
        return "nearness", -np.abs(np.array(self.values) - right)


def evaluate_numbers(
    classifier: Classifier,
    test_set: TestSet,
    *,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> NumberEvaluation:
    """Say the numbers, and score them."""
    check_metrics(metrics, METRICS)
    outputs, seconds = classified(classifier, test_set, quiet=quiet)
    values = [output.value for output in outputs if isinstance(output, Rating) and output.value is not None]
    texts = [output.label for output in outputs]
    facts: dict[str, Any] = {"seconds": seconds, "outputs": tuple(outputs)}
    return values_evaluation(values, texts, test_set, metrics, samples, seed, **facts)


def values_evaluation(
    values: Sequence[float],
    texts: Sequence[str],
    test_set: TestSet,
    metrics: Sequence[str],
    samples: int,
    seed: int,
    **facts: Any,
) -> NumberEvaluation:
    """The scores of numbers, and how they are written."""
    scores = _scores(values, test_set, metrics)
    return evaluation_of(
        NumberEvaluation, test_set, texts, scores, samples, seed, values=tuple(values), **facts
    )


def evaluate_given_numbers(
    texts: Sequence[str],
    test_set: TestSet,
    *,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> NumberEvaluation:
    """Score given numbers, one for each row of the test set."""
    del quiet  # it takes no time
    check_metrics(metrics, METRICS)
    check_rows(texts, test_set)
    values = []
    for line, text in enumerate(texts, start=1):
        try:
            values.append(float(text))
        except ValueError:
            raise DataError(f"line {line} of the outputs: expected a number, found '{text[:40]}'") from None
        if not np.isfinite(values[-1]):
            raise DataError(f"line {line} of the outputs: expected a number, found '{text[:40]}'")
    return values_evaluation(values, texts, test_set, metrics, samples, seed)


def _scores(values: Sequence[float], test_set: TestSet, metrics: Sequence[str]) -> dict[str, Statistics]:
    right = [float(pair.target) for pair in test_set.pairs]
    return {name: make(values, right) for name, make in _MAKERS.items() if name in metrics}
