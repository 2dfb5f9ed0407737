"""What an evaluation of a classifier gives: scores of single labels, of any number of them, or of numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from regard.data.labelled import LabelledText
from regard.data.pairs import Pair
from regard.evaluation.outputs import Outputs
from regard.evaluation.result import Evaluation, Table, confusion_table
from regard.evaluation.test_set import TestSet
from regard.insight.display import visible
from regard.metrics.classification import Marks, confusion_matrix, label_scores
from regard.metrics.f_score import ClassScore
from regard.metrics.statistics import Floats
from regard.tasks.classification.result import Classification
from regard.text.labels import Labels, LabelSets, as_name

_MOST_SHOWN = 12
"""A larger confusion matrix is not shown in a terminal; `to_dict` has it."""


@dataclass(frozen=True, repr=False)
class ClassificationEvaluation(Evaluation):
    """Scores of what is predicted of texts, or of pairs."""

    task: ClassVar[str] = "classification"

    def other_inputs(self, pair: Pair) -> dict[str, Any]:
        """The second text of a pair."""
        second = pair.second if isinstance(pair, LabelledText) else None
        return {} if second is None else {"second": second}


class SingleLabelEvaluation(ClassificationEvaluation):
    """Scores of the labels of a corpus."""

    @cached_property
    def _numbers(self) -> tuple[Labels, list[int], list[int]]:
        return numbered(self.texts, self.test_set)

    @property
    def labels(self) -> tuple[str, ...]:
        """All that were predicted or would have been right, sorted."""
        return self._numbers[0].names

    @cached_property
    def confusion(self) -> tuple[tuple[int, ...], ...]:
        """How many texts of each label, row by row, were given each label, in the order of `labels`."""
        labels, predicted, right = self._numbers
        return tuple(tuple(row) for row in confusion_matrix(predicted, right, len(labels)).tolist())

    def extra(self) -> dict[str, Any]:
        """The confusion matrix, and the speed."""
        facts: dict[str, Any] = {"labels": list(self.labels), "confusion": [list(r) for r in self.confusion]}
        if self.seconds is None:
            return facts
        return {**facts, "temperature": self.temperature, **super().extra()}

    def tables(self) -> list[Table]:
        """The confusion matrix."""
        return [confusion_table(self.labels, self.confusion)] if len(self.labels) <= _MOST_SHOWN else []

    def sentence_scores(self) -> tuple[str, Floats]:
        """Whether each label is right."""
        return "accuracy", is_right(self.texts, self.test_set)

    def quality(self) -> tuple[str, Floats]:
        """The probability of the right label; of a file, which has none, whether the label is right."""
        if not self.outputs:
            return self.sentence_scores()
        right = zip(self.outputs, right_labels(self.test_set), strict=True)
        return "probability", np.array([output.probabilities[label] for output, label in right])


@dataclass(frozen=True)
class LabelSetOutputs(Outputs[Classification]):
    """Any number of labels a text."""

    label_set: LabelSets = field(default_factory=lambda: LabelSets((), ","))
    """All that there are."""
    marks: Marks = field(default_factory=lambda: np.zeros((0, 0), dtype=bool))
    """(n, labels): which were predicted of each text."""

    def right(self, test: TestSet) -> Marks:
        """(n, labels): which would have been right; a label that is not known is refused with its place."""
        return marks_of([(pair.target, pair.where) for pair in test.pairs], self.label_set)


@dataclass(frozen=True, repr=False)
class MultiLabelEvaluation(ClassificationEvaluation):
    """Scores of the labels of a corpus whose texts have any number of them."""

    predictions: LabelSetOutputs

    @property
    def labels(self) -> tuple[str, ...]:
        """All that there are."""
        return self.predictions.label_set.names

    @cached_property
    def by_label(self) -> tuple[ClassScore, ...]:
        """Precision, recall and F1 of each, in the order of `labels`."""
        return tuple(label_scores(self.predictions.marks, self.predictions.right(self.test_set)))

    def extra(self) -> dict[str, object]:
        """The scores of each label, and the speed."""
        named = zip(self.labels, self.by_label, strict=True)
        return {"labels": {name: score._asdict() for name, score in named}, **super().extra()}

    def tables(self) -> list[Table]:
        """A line for each label."""
        rows = [
            [visible(name), *(f"{value:.3f}" for value in score[:3]), f"{score.there:,}"]
            for name, score in zip(self.labels, self.by_label, strict=True)
        ]
        return [(["label", "precision", "recall", "f1", "texts"], rows)]

    def sentence_scores(self) -> tuple[str, Floats]:
        """F1 of the labels of each text; 1 where there are none, and none was predicted."""
        return "micro_f1", np.nan_to_num(self.statistics["micro_f1"].each(), nan=1.0)


class RegressionEvaluation(ClassificationEvaluation):
    """Scores of the numbers predicted for a corpus."""

    @property
    def values(self) -> tuple[float, ...]:
        """What was predicted, in full."""
        return self.predictions.values

    def sentence_scores(self) -> tuple[str, Floats]:
        """How near each number is: less its distance."""
        return "nearness", -np.abs(np.array(self.values) - right_numbers(self.test_set))


def right_labels(test: TestSet) -> list[str]:
    """The right label of each row."""
    return [as_name(pair.target) for pair in test.pairs]


def right_numbers(test: TestSet) -> Floats:
    """The right number of each row."""
    return np.array([float(pair.target) for pair in test.pairs])


def is_right(texts: Sequence[str], test: TestSet) -> Floats:
    """1 for each label that is right, else 0."""
    hits = [text == right for text, right in zip(texts, right_labels(test), strict=True)]
    return np.asarray(hits, dtype=np.float64)


def numbered(texts: Sequence[str], test: TestSet) -> tuple[Labels, list[int], list[int]]:
    """All labels there are, and the numbers of those that were predicted and of those that are right."""
    right = right_labels(test)
    labels = Labels(sorted({*texts, *right}))
    predicted, wanted = ([labels.number(label, test.name) for label in side] for side in (texts, right))
    return labels, predicted, wanted


def marks_of(cells: Sequence[tuple[str, str]], label_set: LabelSets) -> Marks:
    """(n, labels): which labels each cell has, given with its place."""
    marked = np.zeros((len(cells), len(label_set)), dtype=bool)
    for row, (cell, where) in enumerate(cells):
        marked[row, label_set.numbers(cell, where)] = True
    return marked
