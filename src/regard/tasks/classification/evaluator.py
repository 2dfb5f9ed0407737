"""How good labels and numbers are, how far to trust probabilities, and whether attention finds the words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from regard.config.answer import LabelsConfig, NumberConfig
from regard.config.classification import ClassificationRecipe
from regard.config.recipe import Recipe
from regard.data.labelled import LabelledText, read_labelled
from regard.data.pairs import Pair
from regard.errors import DataError
from regard.evaluation.evaluator import E, Evaluator, Given, Scoring, metrics_of, number_of, timed
from regard.evaluation.outputs import Outputs
from regard.evaluation.test_set import TestSet
from regard.metrics.calibration import calibration_statistics
from regard.metrics.classification import accuracy_statistics, label_statistics, one_label_statistics
from regard.metrics.correlation import pearson_statistics, spearman_statistics
from regard.metrics.statistics import Statistics, mean_of, ratio
from regard.progress import say, track
from regard.tasks.classification.evaluation import (
    LabelSetOutputs,
    MultiLabelEvaluation,
    RegressionEvaluation,
    SingleLabelEvaluation,
    is_right,
    marks_of,
    numbered,
    right_labels,
    right_numbers,
)
from regard.tasks.classification.predictor import Classifier
from regard.tasks.classification.result import Classification, MultiLabelClassification, RegressionResult
from regard.text.labels import LabelSets, as_name, split_labels

_TOGETHER = 512


class ClassificationEvaluator(Evaluator[Classifier, Given, E]):
    """What the output types share."""

    task = "classification"
    options: ClassVar[Mapping[str, str]] = {
        "text": "data.text",
        "second": "data.second",
        "label": "data.label",
        "answer": "data.answer",
    }
    reader = read_labelled

    @classmethod
    def of(cls, recipe: Recipe) -> "Evaluator[Any, Any, Any]":
        """By the output type."""
        match recipe.data.answer if isinstance(recipe, ClassificationRecipe) else None:
            case NumberConfig():
                return RegressionEvaluator()
            case LabelsConfig(separator=separator):
                return MultiLabelEvaluator(separator)
        return SingleLabelEvaluator()

    def not_comparable(self, name: str, model: Classifier, first: str, base: Classifier) -> str | None:
        """Models of different output types, or of another number of texts."""
        if model.answer.result_class is not base.answer.result_class:
            return f"{name} says another thing than {first} (data.answer); compare models that say the same"
        if model.labels != base.labels:
            return f"{name} has other labels than {first}; compare models of the same labels"
        if model.reads_pairs != base.reads_pairs:
            return f"{name} and {first}: one reads pairs, and one single texts"
        return None


class SingleLabelEvaluator(ClassificationEvaluator[Outputs[Classification], SingleLabelEvaluation]):
    """The share of right labels; the mean F1 of the labels; the expected calibration error. The precision and
    recall of the attention come with them where the words that decide are known."""

    metrics = metrics_of("accuracy", "macro_f1", "ece")
    evaluation = SingleLabelEvaluation

    def predict(self, model: Classifier, test: TestSet, scoring: Scoring) -> Outputs[Classification]:
        """Label the texts; compare the attention with the words that decide, if known."""
        for pair in test.pairs:
            model.answer.said.numbers(pair.target, pair.where)
        results, seconds = _classified(model, test, quiet=scoring.quiet)
        return Outputs(
            tuple(result.label for result in results),
            results,
            seconds,
            model.temperature,
            np.array([result.probability for result in results]),
            statistics=_attention_statistics(model, test, quiet=scoring.quiet),
        )

    def parse(self, lines: Sequence[str], test: TestSet) -> Outputs[Classification]:
        """Labels; `classify` writes the probability behind them."""
        texts = tuple(as_name(line.partition("\t")[0]) for line in lines)
        right = right_labels(test)
        if texts and not {*texts} & {*right}:
            raise DataError(
                f"expected one label a line, such as '{right[0]}' in {test.name}; found '{texts[0][:40]}', "
                "and no label of the test set anywhere"
            )
        return Outputs(texts)

    def score(
        self, outputs: Outputs[Classification], test: TestSet, scoring: Scoring
    ) -> dict[str, Statistics]:
        """What needs labels alone: accuracy, and macro F1."""
        labels, predicted, right = numbered(outputs.texts, test)
        statistics: dict[str, Statistics] = {}
        if "accuracy" in scoring.metrics:
            statistics["accuracy"] = accuracy_statistics(predicted, right)
        if "macro_f1" in scoring.metrics:
            statistics["macro_f1"] = one_label_statistics(predicted, right, len(labels))
        return statistics

    def calibration(self, outputs: Outputs[Classification], test: TestSet) -> Statistics:
        """Of the labels."""
        return calibration_statistics(np.asarray(outputs.confidence), is_right(outputs.texts, test))


class MultiLabelEvaluator(ClassificationEvaluator[LabelSetOutputs, MultiLabelEvaluation]):
    """F1 of all labels together; the mean of the labels' own; the share of texts whose labels are all right;
    the expected calibration error over every label of every text."""

    metrics = metrics_of("micro_f1", "macro_f1", "accuracy", "ece")
    evaluation = MultiLabelEvaluation

    def __init__(self, separator: str) -> None:
        self.separator = separator
        """Between two labels."""

    def predict(self, model: Classifier, test: TestSet, scoring: Scoring) -> LabelSetOutputs:
        """Label the texts."""
        label_set = LabelSets(model.labels, self.separator)
        marks_of([(pair.target, pair.where) for pair in test.pairs], label_set)  # refuses a label it lacks
        results, seconds = _classified(model, test, quiet=scoring.quiet)
        probabilities = np.array([list(result.probabilities.values()) for result in results])
        chosen = [result.labels if isinstance(result, MultiLabelClassification) else () for result in results]
        marks = np.array([[name in own for name in model.labels] for own in chosen])
        return LabelSetOutputs(
            tuple(result.label for result in results),
            results,
            seconds,
            confidence=np.where(marks, probabilities, 1 - probabilities),
            label_set=label_set,
            marks=marks,
        )

    def parse(self, lines: Sequence[str], test: TestSet) -> LabelSetOutputs:
        """Labels; `classify` writes the probabilities behind them."""
        texts = tuple(line.partition("\t")[0] for line in lines)
        cells = [*texts, *(pair.target for pair in test.pairs)]
        names = sorted({name for cell in cells for name in split_labels(cell, self.separator)})
        label_set = LabelSets(names, self.separator)
        marks = marks_of([(text, "") for text in texts], label_set)
        return LabelSetOutputs(texts, label_set=label_set, marks=marks)

    def score(self, outputs: LabelSetOutputs, test: TestSet, scoring: Scoring) -> dict[str, Statistics]:
        """What needs labels alone."""
        both = outputs.marks, outputs.right(test)
        makers: dict[str, Callable[[], Statistics]] = {
            "micro_f1": lambda: label_statistics(*both, mean="micro"),
            "macro_f1": lambda: label_statistics(*both, mean="macro"),
            "accuracy": lambda: accuracy_statistics(*both),
        }
        # what tells sentences apart is always there
        return {
            name: make() for name, make in makers.items() if name in scoring.metrics or name == "micro_f1"
        }

    def calibration(self, outputs: LabelSetOutputs, test: TestSet) -> Statistics:
        """Of every label of every text."""
        return calibration_statistics(np.asarray(outputs.confidence), outputs.marks == outputs.right(test))


class RegressionEvaluator(ClassificationEvaluator[Outputs[Classification], RegressionEvaluation]):
    """Spearman's and Pearson's correlation with what is right; the mean squared error, in the units of the
    corpus."""

    metrics = metrics_of("spearman", "pearson", "mse")
    evaluation = RegressionEvaluation

    def predict(self, model: Classifier, test: TestSet, scoring: Scoring) -> Outputs[Classification]:
        """Predict the numbers."""
        results, seconds = _classified(model, test, quiet=scoring.quiet)
        values = [own.value for own in results if isinstance(own, RegressionResult) and own.value is not None]
        return Outputs(tuple(own.label for own in results), results, seconds, values=tuple(values))

    def parse(self, lines: Sequence[str], test: TestSet) -> Outputs[Classification]:
        """Numbers."""
        del test
        values = tuple(number_of(text, line) for line, text in enumerate(lines, start=1))
        return Outputs(tuple(lines), values=values)

    def score(
        self, outputs: Outputs[Classification], test: TestSet, scoring: Scoring
    ) -> dict[str, Statistics]:
        """What needs numbers alone."""
        right = right_numbers(test).tolist()
        makers: dict[str, Callable[[Sequence[float], Sequence[float]], Statistics]] = {
            "spearman": spearman_statistics,
            "pearson": pearson_statistics,
            "mse": lambda predicted, right: mean_of(np.square(np.subtract(predicted, right))),
        }
        return {name: make(outputs.values, right) for name, make in makers.items() if name in scoring.metrics}


def texts_of(pair: Pair) -> tuple[str, ...]:
    """What is read: one text, or two."""
    return pair.texts if isinstance(pair, LabelledText) else (pair.source,)


def _classified(model: Classifier, test: TestSet, *, quiet: bool) -> tuple[tuple[Classification, ...], float]:
    """The results, and the seconds that they took."""
    rows = ((pair.where, texts_of(pair)) for pair in test.pairs)
    results, seconds = timed(model.classify_rows(rows), test, "classifying", "texts", quiet=quiet)
    for result, pair in zip(results, test.pairs, strict=True):
        if not result.label and not result.probabilities:
            raise DataError(f"{pair.where}: the text has no words")
        for note in result.notes:
            say(f"{pair.where}: {note}", quiet=quiet)
    return results, seconds


def _attention_statistics(model: Classifier, test: TestSet, *, quiet: bool) -> dict[str, Statistics]:
    """How well the attention matches the rationale; nothing without gold or attention.

    A word is attended to if it has more than a uniform share of the attention of all hops together.
    """
    known = [
        (row, pair.carriers)
        for row, pair in enumerate(test.pairs)
        if isinstance(pair, LabelledText) and pair.carriers is not None
    ]
    if not known or not model.network.attentions:
        return {}
    counts = np.zeros((len(test), 3))  # hits, words attended to, words of the rationale
    for first in track(range(0, len(known), _TOGETHER), "looking", unit="batches", every=1, quiet=quiet):
        chosen = known[first : first + _TOGETHER]
        seen = model.classify([test.pairs[row].source for row, _ in chosen])
        for (row, carriers), output in zip(chosen, seen, strict=True):
            shares = output.attention.words(specials=False).weights.mean(axis=0)
            looked_at = set(np.flatnonzero(shares > 1 / len(shares)).tolist())
            counts[row] = len(looked_at & carriers), len(looked_at), len(carriers)
    return {
        "attention_precision": Statistics(counts[:, [0, 1]], ratio),
        "attention_recall": Statistics(counts[:, [0, 2]], ratio),
    }
