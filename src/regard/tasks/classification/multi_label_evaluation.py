"""How good any number of labels a text is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.errors import DataError
from regard.evaluation.scores import Table, check_metrics, check_rows, evaluation_of
from regard.evaluation.test_set import TestSet
from regard.insight.labels import visible
from regard.metrics.bootstrap import SAMPLES, SEED
from regard.metrics.calibration import calibration_statistics
from regard.metrics.classification import Marks, accuracy_statistics, label_scores, label_statistics
from regard.metrics.f_score import KindScore
from regard.metrics.statistics import Floats, Statistics
from regard.tasks.classification.outputs import AnswerEvaluation, classified
from regard.tasks.classification.predictor import Classifier
from regard.tasks.classification.result import SeveralLabels
from regard.text.labels import LabelSets, split_labels

METRICS = ("micro_f1", "macro_f1", "accuracy", "ece")
"""F1 of all labels together; the mean of the labels' own; the share of texts whose labels are all right; the
expected calibration error over every label of every text. A file of labels has no probabilities."""


@dataclass(frozen=True, repr=False)
class LabelsEvaluation(AnswerEvaluation):
    """Scores of the labels of a corpus whose texts have any number of them."""

    labels: tuple[str, ...] = ()
    by_label: tuple[KindScore, ...] = ()
    """Precision, recall and F1 of each, in the order of `labels`."""

    def more(self) -> dict[str, object]:
        """The scores of each label, and the speed."""
        named = zip(self.labels, self.by_label, strict=True)
        return {"labels": {name: score._asdict() for name, score in named}, **super().more()}

    def tables(self) -> list[Table]:
        """A line for each label."""
        rows = [
            [visible(name), *(f"{value:.3f}" for value in score[:3]), f"{score.there:,}"]
            for name, score in zip(self.labels, self.by_label, strict=True)
        ]
        return [(["label", "precision", "recall", "f1", "texts"], rows)]

    def of_sentences(self) -> tuple[str, Floats]:
        """F1 of the labels of each text; 1 where there are none, and none was said."""
        return "micro_f1", np.nan_to_num(self.statistics["micro_f1"].each(), nan=1.0)


def evaluate_several(
    classifier: Classifier,
    test_set: TestSet,
    *,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> LabelsEvaluation:
    """Label the texts and score the labels."""
    check_metrics(metrics, METRICS)
    answer = classifier.answer
    right = answer.wanted([answer.said.numbers(pair.target, pair.where) for pair in test_set.pairs])
    outputs, seconds = classified(classifier, test_set, quiet=quiet)
    probabilities = np.array([list(output.probabilities.values()) for output in outputs])
    said = np.array([_marked(output, classifier.labels) for output in outputs])
    texts = [output.label for output in outputs]
    return marks_evaluation(
        said, right, probabilities, texts, classifier.labels, test_set, metrics, samples, seed,
        seconds=seconds, outputs=tuple(outputs),
    )  # fmt: skip


def marks_evaluation(
    said: Marks,
    right: Marks,
    probabilities: Floats,
    texts: Sequence[str],
    labels: Sequence[str],
    test_set: TestSet,
    metrics: Sequence[str],
    samples: int,
    seed: int,
    **facts: Any,
) -> LabelsEvaluation:
    """The scores of labels whose probabilities are known; `said`, `right`, `probabilities` (n, labels)."""
    statistics = _scores(said, right, metrics)
    if "ece" in metrics:
        sure = np.where(said, probabilities, 1 - probabilities)
        statistics["ece"] = calibration_statistics(sure, said == right)
    return evaluation_of(
        LabelsEvaluation, test_set, texts, statistics, samples, seed,
        labels=tuple(labels), by_label=tuple(label_scores(said, right)), **facts,
    )  # fmt: skip


def evaluate_label_sets(
    texts: Sequence[str],
    test_set: TestSet,
    *,
    separator: str,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> LabelsEvaluation:
    """Score given labels, a line for each row of the test set."""
    del quiet  # it takes no time
    check_metrics(metrics, METRICS)
    if set(metrics) <= {"ece"}:
        raise DataError("ece needs probabilities, and a file of labels has none; choose micro_f1 or accuracy")
    check_rows(texts, test_set)
    given = [text.partition("\t")[0] for text in texts]  # `classify` writes the probabilities behind them
    cells = [*given, *(pair.target for pair in test_set.pairs)]
    labels = LabelSets(sorted({name for cell in cells for name in split_labels(cell, separator)}), separator)
    said, right = (
        marks_of([labels.numbers(cell, "") for cell in side], len(labels))
        for side in (given, [pair.target for pair in test_set.pairs])
    )
    return evaluation_of(
        LabelsEvaluation, test_set, given, _scores(said, right, metrics), samples, seed,
        labels=labels.names, by_label=tuple(label_scores(said, right)),
    )  # fmt: skip


def _marked(output: object, labels: Sequence[str]) -> list[bool]:
    chosen = output.labels if isinstance(output, SeveralLabels) else ()
    return [name in chosen for name in labels]


def marks_of(rows: Sequence[Sequence[int]], labels: int) -> Marks:
    """(n, labels), of the numbers of each row."""
    marked = np.zeros((len(rows), labels), dtype=bool)
    for row, numbers in enumerate(rows):
        marked[row, list(numbers)] = True
    return marked


def _scores(said: Marks, right: Marks, metrics: Sequence[str]) -> dict[str, Statistics]:
    makers: dict[str, Callable[[], Statistics]] = {
        "micro_f1": lambda: label_statistics(said, right, mean="micro"),
        "macro_f1": lambda: label_statistics(said, right, mean="macro"),
        "accuracy": lambda: accuracy_statistics(said, right),
    }
    # what tells sentences apart is always there
    return {name: make() for name, make in makers.items() if name in metrics or name == "micro_f1"}
