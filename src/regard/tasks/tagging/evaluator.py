"""How taggers are measured."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from regard.config.data import Corpus
from regard.config.load import Setting
from regard.config.tagging import TaggedConfig
from regard.data.bad_rows import BadRows
from regard.data.tagged import TaggedSentence, read_tagged
from regard.errors import DataError
from regard.evaluation.evaluator import Asked
from regard.evaluation.test_set import TestSet
from regard.tasks.tagging.evaluation import METRICS, TagEvaluation, evaluate_tagger, evaluate_tags
from regard.tasks.tagging.predictor import Tagger


class TagMeasures:
    """Accuracy, also of unknown words; F1 of each tag and of spans; what was taken for what."""

    metrics: tuple[str, ...] = METRICS

    def settings(self, asked: Asked) -> list[Setting]:
        """The columns of words and tags."""
        asked.only("text", "label", task="tagging")
        sides = (("data.text", asked.text), ("data.label", asked.label))
        return [(name, column) for name, column in sides if column]

    def read(
        self, corpus: Corpus, data: TaggedConfig, *, split: str, bad: BadRows, more: Sequence[str]
    ) -> Iterator[TaggedSentence]:
        """The tagged sentences of a corpus."""
        return read_tagged(corpus, data, split=split, bad=bad, more=more)

    def check_alike(self, models: Mapping[str, Tagger]) -> None:
        """Refuse models of different tags."""
        first = next(iter(models), "")
        for name, model in models.items():
            if model.labels != models[first].labels:
                raise DataError(f"{name} has other tags than {first}; compare models of the same tags")

    def of_model(
        self, model: Tagger, test_set: TestSet, asked: Asked, metrics: Sequence[str], **options: Any
    ) -> TagEvaluation:
        """Tag, and score."""
        del asked
        return evaluate_tagger(model, test_set, metrics=metrics, **options)

    def of_outputs(
        self, texts: Sequence[str], test_set: TestSet, metrics: Sequence[str], **options: Any
    ) -> TagEvaluation:
        """Score given tags."""
        return evaluate_tags(texts, test_set, metrics=metrics, **options)
