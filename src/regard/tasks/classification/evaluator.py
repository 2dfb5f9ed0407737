"""How classifiers are measured, by what they say."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from regard.config.answer import LabelsConfig, NumberConfig
from regard.config.classification import ClassificationRecipe, LabelledConfig
from regard.config.data import Corpus
from regard.config.load import Setting
from regard.data.bad_rows import BadRows
from regard.data.labelled import LabelledText, read_labelled
from regard.errors import DataError
from regard.evaluation.evaluator import Asked
from regard.evaluation.test_set import TestSet
from regard.tasks.classification import multi_label_evaluation as labels_evaluation
from regard.tasks.classification import regression_evaluation as number_evaluation
from regard.tasks.classification import single_label_evaluation as label_evaluation
from regard.tasks.classification.outputs import AnswerEvaluation
from regard.tasks.classification.predictor import Classifier


class LabelMeasures:
    """Labels: accuracy, F1, confusion, calibration; attention where gold exists. Numbers: correlation."""

    def __init__(self, recipe: ClassificationRecipe) -> None:
        self._answer = recipe.data.answer
        self.metrics: tuple[str, ...] = label_evaluation.METRICS
        match self._answer:
            case NumberConfig():
                self.metrics = number_evaluation.METRICS
            case LabelsConfig():
                self.metrics = labels_evaluation.METRICS

    def settings(self, asked: Asked) -> list[Setting]:
        """The columns of the texts and of what is said of them, and what that is."""
        asked.only("text", "second", "label", "answer", task="classification")
        return [
            (f"data.{name}", value)
            for name in ("text", "second", "label", "answer")
            if (value := getattr(asked, name))
        ]

    def read(
        self, corpus: Corpus, data: LabelledConfig, *, split: str, bad: BadRows, more: Sequence[str]
    ) -> Iterator[LabelledText]:
        """The labelled texts of a corpus."""
        return read_labelled(corpus, data, split=split, bad=bad, more=more)

    def check_alike(self, models: Mapping[str, Classifier]) -> None:
        """Refuse models that say different things, or read another number of texts."""
        first = next(iter(models), "")
        for name, model in models.items():
            base = models[first]
            if model.answer.result_class is not base.answer.result_class:
                raise DataError(
                    f"{name} says another thing than {first} (data.answer); compare models that say the same"
                )
            if model.labels != base.labels:
                raise DataError(f"{name} has other labels than {first}; compare models of the same labels")
            if model.reads_pairs != base.reads_pairs:
                raise DataError(f"{name} and {first}: one reads pairs, and one single texts")

    def of_model(
        self, model: Classifier, test_set: TestSet, asked: Asked, metrics: Sequence[str], **options: Any
    ) -> AnswerEvaluation:
        """Classify, and score."""
        del asked
        match self._answer:
            case NumberConfig():
                return number_evaluation.evaluate_numbers(model, test_set, metrics=metrics, **options)
            case LabelsConfig():
                return labels_evaluation.evaluate_several(model, test_set, metrics=metrics, **options)
        return label_evaluation.evaluate_classifier(model, test_set, metrics=metrics, **options)

    def of_outputs(
        self, texts: Sequence[str], test_set: TestSet, metrics: Sequence[str], **options: Any
    ) -> AnswerEvaluation:
        """Score what somebody else said."""
        match self._answer:
            case NumberConfig():
                return number_evaluation.evaluate_given_numbers(texts, test_set, metrics=metrics, **options)
            case LabelsConfig(separator=separator):
                return labels_evaluation.evaluate_label_sets(
                    texts, test_set, separator=separator, metrics=metrics, **options
                )
        return label_evaluation.evaluate_labels(texts, test_set, metrics=metrics, **options)
