"""How translators are measured."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from regard.config.data import Corpus, DataConfig
from regard.config.load import Setting
from regard.data.bad_rows import BadRows
from regard.data.pairs import Pair, read_pairs
from regard.errors import ConfigError, DataError
from regard.evaluation.evaluator import Asked
from regard.evaluation.test_set import TestSet
from regard.tasks.translation.evaluation import (
    METRICS,
    TranslationEvaluation,
    evaluate_outputs,
    evaluate_translations,
)
from regard.tasks.translation.predictor import Translator


class TranslationMeasures:
    """BLEU, chrF and TER; the alignment error rate where gold exists."""

    metrics: tuple[str, ...] = METRICS

    def settings(self, asked: Asked) -> list[Setting]:
        """The columns of the two languages."""
        asked.only("source", "target", "references", "beam_size", task="translation")
        if asked.references and asked.target:
            raise ConfigError("target and references exclude each other: the references are the target")
        target = asked.references[0] if asked.references else asked.target
        sides = (("data.source", asked.source), ("data.target", target))
        return [(name, column) for name, column in sides if column]

    def read(
        self, corpus: Corpus, data: DataConfig, *, split: str, bad: BadRows, more: Sequence[str]
    ) -> Iterator[Pair]:
        """The pairs of a corpus."""
        return read_pairs(corpus, data, split=split, bad=bad, more=more)

    def check_alike(self, models: Mapping[str, Translator]) -> None:
        """Refuse models of different language pairs."""
        pairs = {name: f"{m.recipe.data.source}→{m.recipe.data.target}" for name, m in models.items()}
        for name, pair in pairs.items():
            first = next(iter(pairs))
            if pair != pairs[first]:
                raise DataError(
                    f"{name} translates {pair}, but {first} {pairs[first]}; compare models of one pair"
                )

    def of_model(
        self, model: Translator, test_set: TestSet, asked: Asked, metrics: Sequence[str], **options: Any
    ) -> TranslationEvaluation:
        """Translate, and score."""
        return evaluate_translations(model, test_set, beam_size=asked.beam_size, metrics=metrics, **options)

    def of_outputs(
        self, texts: Sequence[str], test_set: TestSet, metrics: Sequence[str], **options: Any
    ) -> TranslationEvaluation:
        """Score given translations."""
        return evaluate_outputs(texts, test_set, metrics=metrics, **options)
