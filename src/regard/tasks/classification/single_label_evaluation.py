"""How good labels are, how far their probabilities can be trusted, and whether attention finds the words."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from regard.data.labelled import LabelledText
from regard.errors import DataError
from regard.evaluation.scores import Table, check_metrics, check_rows, evaluation_of
from regard.evaluation.test_set import TestSet
from regard.insight.labels import visible
from regard.metrics.bootstrap import SAMPLES, SEED
from regard.metrics.calibration import calibration_statistics
from regard.metrics.classification import (
    accuracy_statistics,
    confusion_matrix,
    one_label_statistics,
)
from regard.metrics.statistics import Floats, Statistics, ratio
from regard.progress import track
from regard.tasks.classification.outputs import AnswerEvaluation, classified
from regard.tasks.classification.predictor import Classifier
from regard.tasks.classification.result import Classification
from regard.text.labels import Labels, as_name

METRICS = ("accuracy", "macro_f1", "ece")
"""The share of right labels; the mean F1 of the labels; the expected calibration error, where less is better.
All from 0 to 1. The last needs probabilities, which a file of labels does not have."""
_TOGETHER = 512
_MOST_SHOWN = 12
"""A larger confusion matrix is not shown in a terminal; `to_dict` has it."""


@dataclass(frozen=True, repr=False)
class LabelEvaluation(AnswerEvaluation):
    """Scores of the labels of a corpus."""

    labels: tuple[str, ...] = ()
    """All that was said or would have been right, sorted."""
    confusion: tuple[tuple[int, ...], ...] = field(default=(), compare=False)
    """How many texts of each label, row by row, were given each label, in the order of `labels`."""
    temperature: float | None = None
    """What the model's logits are divided by; None where the outputs come from a file."""
    outputs: tuple[Classification, ...] = ()
    """The results without their attention; none where the outputs come from a file."""

    def more(self) -> dict[str, Any]:
        """The confusion matrix, and the speed."""
        facts: dict[str, Any] = {"labels": list(self.labels), "confusion": [list(r) for r in self.confusion]}
        if self.seconds is None:
            return facts
        return {**facts, "temperature": self.temperature, **super().more()}

    def tables(self) -> list[Table]:
        """The confusion matrix: a line for each right label, a column for each that was said."""
        if len(self.labels) > _MOST_SHOWN:
            return []
        names = [visible(name) for name in self.labels]
        rows = [
            [name, *(f"{count:,}" for count in counts)]
            for name, counts in zip(names, self.confusion, strict=True)
        ]
        return [(["gold \\ predicted", *names], rows)]

    def of_sentences(self) -> tuple[str, Floats]:
        """Whether each label is right."""
        hits = [said == right for said, right in zip(self.texts, _right(self.test_set), strict=True)]
        return "accuracy", np.asarray(hits, dtype=np.float64)

    def quality(self) -> tuple[str, Floats]:
        """The probability of the right label; of a file, which has none, whether the label is right."""
        if not self.outputs:
            return self.of_sentences()
        right = zip(self.outputs, _right(self.test_set), strict=True)
        return "probability", np.array([output.probabilities[label] for output, label in right])


def evaluate_classifier(
    classifier: Classifier,
    test: TestSet | Sequence[LabelledText],
    *,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> LabelEvaluation:
    """Label the texts and score the labels; compare the attention with the words that decide, if known."""
    test = test if isinstance(test, TestSet) else TestSet.of(test)
    check_metrics(metrics, METRICS)
    names = classifier.answer.said
    right = [names.numbers(pair.target, pair.where)[0] for pair in test.pairs]
    outputs, seconds = classified(classifier, test, quiet=quiet)
    said = [output.label for output in outputs]
    confidence = np.array([output.probability for output in outputs])
    hits = [label == classifier.labels[own] for label, own in zip(said, right, strict=True)]
    statistics = scores_of(said, test, metrics)
    if "ece" in metrics:
        statistics["ece"] = calibration_statistics(confidence, hits)
    statistics |= _found_words(classifier, test, quiet=quiet)
    return evaluation_of(
        LabelEvaluation, test, said, statistics, samples, seed,
        **confusion_of(said, test), temperature=classifier.temperature, seconds=seconds,
        outputs=tuple(outputs),
    )  # fmt: skip


def evaluate_labels(
    texts: Sequence[str],
    test: TestSet,
    *,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> LabelEvaluation:
    """Score given labels, one for each row of the test set; without probabilities there is no ece."""
    del quiet  # it takes no time
    check_metrics(metrics, METRICS)
    check_rows(texts, test)
    if set(metrics) <= {"ece"}:
        raise DataError("ece needs probabilities, and a file of labels has none; choose accuracy or macro_f1")
    said = [as_name(text.partition("\t")[0]) for text in texts]  # `classify` writes the probability behind it
    if texts and not {*said} & {*_right(test)}:
        raise DataError(
            f"expected one label a line, such as '{_right(test)[0]}' in {test.name}; found '{said[0][:40]}', "
            "and no label of the test set anywhere"
        )
    return evaluation_of(
        LabelEvaluation,
        test,
        said,
        scores_of(said, test, metrics),
        samples,
        seed,
        **confusion_of(said, test),
    )


def _right(test: TestSet) -> list[str]:
    return [as_name(pair.target) for pair in test.pairs]


def _numbered(said: Sequence[str], test: TestSet) -> tuple[Labels, list[int], list[int]]:
    """All labels there are, and the numbers of those that were said and of those that are right."""
    right = _right(test)
    labels = Labels(sorted({*said, *right}))
    numbers = [[labels.number(label, test.name) for label in side] for side in (said, right)]
    return labels, numbers[0], numbers[1]


def scores_of(said: Sequence[str], test: TestSet, metrics: Sequence[str]) -> dict[str, Statistics]:
    """What a label alone tells: accuracy, and macro F1."""
    labels, own, right = _numbered(said, test)
    statistics: dict[str, Statistics] = {}
    if "accuracy" in metrics:
        statistics["accuracy"] = accuracy_statistics(own, right)
    if "macro_f1" in metrics:
        statistics["macro_f1"] = one_label_statistics(own, right, len(labels))
    return statistics


def confusion_of(said: Sequence[str], test: TestSet) -> dict[str, Any]:
    """The labels, and how often each was taken for another, as `LabelEvaluation` has them."""
    labels, own, right = _numbered(said, test)
    counts = confusion_matrix(own, right, len(labels))
    return {"labels": labels.names, "confusion": tuple(tuple(row) for row in counts.tolist())}


def _found_words(classifier: Classifier, test: TestSet, *, quiet: bool) -> dict[str, Statistics]:
    """How well the words that are looked at are those that decide; nothing without gold or attention.

    A word is looked at if it has more than an even share of the attention of all hops together.
    """
    known = [
        (row, pair.carriers)
        for row, pair in enumerate(test.pairs)
        if isinstance(pair, LabelledText) and pair.carriers is not None
    ]
    if not known or not classifier.network.attentions:
        return {}
    counts = np.zeros((len(test), 3))  # hits, words looked at, words that decide
    for first in track(range(0, len(known), _TOGETHER), "looking", unit="batches", every=1, quiet=quiet):
        chosen = known[first : first + _TOGETHER]
        seen = classifier.classify([test.pairs[row].source for row, _ in chosen])
        for (row, carriers), output in zip(chosen, seen, strict=True):
            shares = output.attention.words(specials=False).weights.mean(axis=0)
            looked_at = set(np.flatnonzero(shares > 1 / len(shares)).tolist())
            counts[row] = len(looked_at & carriers), len(looked_at), len(carriers)
    return {
        "attention_precision": Statistics(counts[:, [0, 1]], ratio),
        "attention_recall": Statistics(counts[:, [0, 2]], ratio),
    }
