"""How good answers are: exact match and F1, as SQuAD defines them; and whether their probabilities are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from regard.data.pairs import Pair
from regard.data.questions import QuestionExample, question_schema
from regard.data.schema import Reader
from regard.evaluation.evaluator import Evaluator, Scoring, metrics_of, timed
from regard.evaluation.outputs import Outputs
from regard.evaluation.result import Evaluation
from regard.evaluation.test_set import TestSet
from regard.metrics.calibration import calibration_statistics
from regard.metrics.squad import SIGNATURE, squad_statistics
from regard.metrics.statistics import Floats, Statistics
from regard.progress import say
from regard.tasks.question_answering.predictor import QuestionAnswerer
from regard.tasks.question_answering.result import QuestionAnswer


@dataclass(frozen=True, repr=False)
class QuestionAnsweringEvaluation(Evaluation):
    """Scores of the answers to the questions of a corpus."""

    task: ClassVar[str] = "question-answering"

    def extra(self) -> dict[str, Any]:
        """The temperature, and the speed."""
        return {} if self.seconds is None else {"temperature": self.temperature, **super().extra()}

    def other_inputs(self, pair: Pair) -> dict[str, Any]:
        """The question."""
        return {"question": pair.question} if isinstance(pair, QuestionExample) else {}

    def sentence_scores(self) -> tuple[str, Floats]:
        """The F1 of each answer."""
        return "f1", _squad(self.texts, self.test_set)["f1"].each()


class QuestionAnsweringEvaluator(
    Evaluator[QuestionAnswerer, Outputs[QuestionAnswer], QuestionAnsweringEvaluation]
):
    """The share of answers that are one of the right ones, the mean F1 of their words, and how far
    probabilities are from the share that is right."""

    task = "question-answering"
    metrics = metrics_of("exact_match", "f1", "ece")
    options: ClassVar[Mapping[str, str]] = {
        "question": "data.question",
        "text": "data.text",
        "answer": "data.answer",
    }
    evaluation = QuestionAnsweringEvaluation
    # The spans of the answers are not needed, for only their texts are scored.
    reader = Reader(
        lambda data, part, split: question_schema(data.model_copy(update={"start": None}), part, split)
    )

    def not_comparable(
        self, name: str, model: QuestionAnswerer, first: str, base: QuestionAnswerer
    ) -> str | None:
        """Of two models, one may say that there is no answer, and one may not."""
        if model.recipe.data.unanswerable == base.recipe.data.unanswerable:
            return None
        return (
            f"{name} and {first}: one may say that there is no answer (data.unanswerable), and one may not; "
            "compare models of the same questions"
        )

    def predict(self, model: QuestionAnswerer, test: TestSet, scoring: Scoring) -> Outputs[QuestionAnswer]:
        """Answer the questions."""
        rows = ((pair.where, (_question(pair), pair.source)) for pair in test.pairs)
        results, seconds = timed(model.answer_rows(rows), test, "answering", "questions", quiet=scoring.quiet)
        for result, pair in zip(results, test.pairs, strict=True):
            for note in result.notes:
                say(f"{pair.where}: {note}", quiet=scoring.quiet)
        confidence = np.array([result.best.probability for result in results])
        texts = tuple(result.answer for result in results)
        return Outputs(texts, results, seconds, model.temperature, confidence)

    def parse(self, lines: Sequence[str], test: TestSet) -> Outputs[QuestionAnswer]:
        """Answers; an empty one says that there is none, and `answer` writes the place behind it."""
        del test
        return Outputs(tuple(line.partition("\t")[0] for line in lines))

    def score(
        self, outputs: Outputs[QuestionAnswer], test: TestSet, scoring: Scoring
    ) -> dict[str, Statistics]:
        """Exact match and F1."""
        every = _squad(outputs.texts, test).items()
        return {name: replace(own, signature=SIGNATURE) for name, own in every if name in scoring.metrics}

    def calibration(self, outputs: Outputs[QuestionAnswer], test: TestSet) -> Statistics:
        """Of exact matches."""
        hits = _squad(outputs.texts, test)["exact_match"].each()
        return calibration_statistics(np.asarray(outputs.confidence), hits)


def _squad(texts: Sequence[str], test: TestSet) -> dict[str, Statistics]:
    right = [pair.answers if isinstance(pair, QuestionExample) else (pair.target,) for pair in test.pairs]
    return squad_statistics(texts, right)


def _question(pair: Pair) -> str:
    return pair.question if isinstance(pair, QuestionExample) else ""
