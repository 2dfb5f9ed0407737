"""How good answers are: exact match and F1, as SQuAD defines them; and whether their probabilities are."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from regard.data.pairs import Pair
from regard.data.questions import AskedText
from regard.errors import DataError
from regard.evaluation.scores import Evaluation, check_metrics, check_rows, evaluation_of
from regard.evaluation.test_set import TestSet
from regard.metrics.bootstrap import SAMPLES, SEED
from regard.metrics.calibration import calibration_statistics
from regard.metrics.squad import SIGNATURE, squad_statistics
from regard.metrics.statistics import Floats, Statistics
from regard.progress import say, track
from regard.tasks.question_answering.predictor import Answerer
from regard.tasks.question_answering.result import Answered

METRICS = ("exact_match", "f1", "ece")
"""The share of answers that are one of the right ones, the mean F1 of their words, and how far probabilities
are from the share that is right. All from 0 to 1. The last needs probabilities, which a file of answers does
not have."""
_TOGETHER = 512


@dataclass(frozen=True, repr=False)
class AnswersEvaluation(Evaluation):
    """Scores of the answers to the questions of a corpus."""

    task: ClassVar[str] = "question-answering"

    temperature: float | None = None
    """What the scores of spans are divided by; None where the outputs come from a file."""
    outputs: tuple[Answered, ...] = ()
    """The results without their attention; none where the outputs come from a file."""

    def more(self) -> dict[str, Any]:
        """The temperature, and the speed."""
        return {} if self.seconds is None else {"temperature": self.temperature, **super().more()}

    def beside(self, pair: Pair) -> dict[str, Any]:
        """The question."""
        return {"question": pair.question} if isinstance(pair, AskedText) else {}

    def of_sentences(self) -> tuple[str, Floats]:
        """The F1 of each answer."""
        said, right = self.texts, _right(self.test_set)
        return "f1", squad_statistics(said, right)["f1"].each()


def evaluate_answerer(
    answerer: Answerer,
    test_set: TestSet | Sequence[AskedText],
    *,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> AnswersEvaluation:
    """Answer the questions and score the answers."""
    test_set = test_set if isinstance(test_set, TestSet) else TestSet.of(test_set)
    check_metrics(metrics, METRICS)
    begun = time.monotonic()
    rows = ((pair.where, (_question(pair), pair.source)) for pair in test_set.pairs)
    results = answerer.answer_rows(rows)
    tracked = track(results, "answering", unit="questions", total=len(test_set), every=_TOGETHER, quiet=quiet)
    outputs = tuple(tracked)
    seconds = time.monotonic() - begun
    for output, pair in zip(outputs, test_set.pairs, strict=True):
        for note in output.notes:
            say(f"{pair.where}: {note}", quiet=quiet)
    said = [output.answer for output in outputs]
    statistics = _scores(said, test_set, metrics)
    if "ece" in metrics:
        confidence = np.array([output.best.probability for output in outputs])
        right = squad_statistics(said, _right(test_set))["exact_match"].each()
        statistics["ece"] = calibration_statistics(confidence, right)
    return evaluation_of(
        AnswersEvaluation, test_set, said, statistics, samples, seed,
        seconds=seconds, temperature=answerer.temperature, outputs=outputs,
    )  # fmt: skip


def evaluate_answers(
    texts: Sequence[str],
    test_set: TestSet,
    *,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> AnswersEvaluation:
    """Score given answers, one for each row of the test set; an empty one says that there is none."""
    del quiet  # it takes no time
    check_metrics(metrics, METRICS)
    check_rows(texts, test_set)
    if set(metrics) <= {"ece"}:
        raise DataError("ece needs probabilities, and a file of answers has none; choose exact_match or f1")
    said = [text.partition("\t")[0] for text in texts]  # `answer` writes the place behind it
    return evaluation_of(AnswersEvaluation, test_set, said, _scores(said, test_set, metrics), samples, seed)


def _scores(said: Sequence[str], test_set: TestSet, metrics: Sequence[str]) -> dict[str, Statistics]:
    every = squad_statistics(said, _right(test_set))
    return {name: replace(found, signature=SIGNATURE) for name, found in every.items() if name in metrics}


def _right(test_set: TestSet) -> list[tuple[str, ...]]:
    return [pair.answers if isinstance(pair, AskedText) else (pair.target,) for pair in test_set.pairs]


def _question(pair: Pair) -> str:
    return pair.question if isinstance(pair, AskedText) else ""
