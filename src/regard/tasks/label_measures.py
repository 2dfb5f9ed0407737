"""How classifiers are measured."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from regard.config.classification import LabelledConfig
from regard.config.data import Corpus
from regard.config.load import Setting
from regard.data.bad_rows import BadRows
from regard.data.labelled import LabelledText, read_labelled
from regard.errors import DataError
from regard.tasks.classification import Classifier
from regard.tasks.gold import Gold
from regard.tasks.label_evaluation import METRICS, LabelEvaluation, evaluate_classifier, evaluate_labels
from regard.tasks.measuring import Asked


class LabelMeasures:
    """Accuracy, macro F1, confusion, calibration; precision and recall of attention where gold exists."""

    metrics: tuple[str, ...] = METRICS

    def settings(self, asked: Asked) -> list[Setting]:
        """The columns of text and label."""
        asked.only("text", "label", task="classification")
        sides = (("data.text", asked.text), ("data.label", asked.label))
        return [(name, column) for name, column in sides if column]

    def read(
        self, corpus: Corpus, data: LabelledConfig, *, split: str, bad: BadRows, more: Sequence[str]
    ) -> Iterator[LabelledText]:
        """The labelled texts of a corpus."""
        return read_labelled(corpus, data, split=split, bad=bad, more=more)

    def check_alike(self, models: Mapping[str, Classifier]) -> None:
        """Refuse models of different labels."""
        first = next(iter(models), "")
        for name, model in models.items():
            if model.labels != models[first].labels:
                raise DataError(f"{name} has other labels than {first}; compare models of the same labels")

    def of_model(
        self, model: Classifier, gold: Gold, asked: Asked, metrics: Sequence[str], **options: Any
    ) -> LabelEvaluation:
        """Label, and score."""
        del asked
        return evaluate_classifier(model, gold, metrics=metrics, **options)

    def of_outputs(
        self, texts: Sequence[str], gold: Gold, metrics: Sequence[str], **options: Any
    ) -> LabelEvaluation:
        """Score given labels."""
        return evaluate_labels(texts, gold, metrics=metrics, **options)
