"""How models that find answers are measured."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from regard.config.data import Corpus
from regard.config.load import Setting
from regard.config.question_answering import QuestionsConfig
from regard.data.bad_rows import BadRows
from regard.data.questions import AskedText, read_questions
from regard.errors import DataError
from regard.evaluation.evaluator import Asked
from regard.evaluation.test_set import TestSet
from regard.tasks.question_answering.evaluation import (
    METRICS,
    AnswersEvaluation,
    evaluate_answerer,
    evaluate_answers,
)
from regard.tasks.question_answering.predictor import Answerer


class SpanMeasures:
    """Exact match, F1, calibration."""

    metrics: tuple[str, ...] = METRICS

    def settings(self, asked: Asked) -> list[Setting]:
        """The columns of the questions, of the texts and of the answers."""
        asked.only("question", "text", "answer", task="question-answering")
        named = [(name, getattr(asked, name)) for name in ("question", "text", "answer")]
        return [(f"data.{name}", value) for name, value in named if value]

    def read(
        self, corpus: Corpus, data: QuestionsConfig, *, split: str, bad: BadRows, more: Sequence[str]
    ) -> Iterator[AskedText]:
        """The questions of a corpus; where the answers stand need not be said, for it is not measured."""
        anywhere = data.model_copy(update={"start": None})
        return read_questions(corpus, anywhere, split=split, bad=bad, more=more)

    def check_alike(self, models: Mapping[str, Answerer]) -> None:
        """Refuse models of which some may say that there is no answer, and some may not."""
        first = next(iter(models), "")
        for name, model in models.items():
            if model.recipe.data.unanswerable != models[first].recipe.data.unanswerable:
                raise DataError(
                    f"{name} and {first}: one may say that there is no answer (data.unanswerable), and one "
                    f"may not; compare models of the same questions"
                )

    def of_model(
        self, model: Answerer, test_set: TestSet, asked: Asked, metrics: Sequence[str], **options: Any
    ) -> AnswersEvaluation:
        """Answer, and score."""
        del asked
        return evaluate_answerer(model, test_set, metrics=metrics, **options)

    def of_outputs(
        self, texts: Sequence[str], test_set: TestSet, metrics: Sequence[str], **options: Any
    ) -> AnswersEvaluation:
        """Score given answers."""
        return evaluate_answers(texts, test_set, metrics=metrics, **options)
