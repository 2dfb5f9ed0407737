"""The linear baseline of a recipe's data: fitted on its training rows, and measured as its models are."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.config.answer import LabelsConfig, NumberConfig
from regard.config.classification import ClassificationRecipe
from regard.data.labelled import LabelledText, read_labelled
from regard.evaluation.record import portable
from regard.evaluation.scores import Evaluation, evaluation_of
from regard.evaluation.test_set import TestSet
from regard.metrics.calibration import calibration_statistics
from regard.progress import counted, say, track
from regard.tasks.classification.baseline import LinearBaseline
from regard.tasks.classification.multi_label_evaluation import LabelsEvaluation, marks_evaluation, marks_of
from regard.tasks.classification.outputs import AnswerEvaluation, texts_of
from regard.tasks.classification.regression_evaluation import NumberEvaluation, values_evaluation
from regard.tasks.classification.single_label_evaluation import LabelEvaluation, confusion_of, scores_of
from regard.text.labels import Labels, LabelSets, as_name, split_labels
from regard.training.versions import versions


def training_rows(recipe: ClassificationRecipe, *, quiet: bool = True) -> list[LabelledText]:
    """What a recipe's models learn from."""
    data = recipe.data
    return list(track(read_labelled(data.train, data, split="train"), "reading", unit="rows", quiet=quiet))


def fit_baseline(
    rows: Sequence[LabelledText], recipe: ClassificationRecipe, *, quiet: bool = True
) -> LinearBaseline:
    """TF-IDF of words and characters, and the linear model for what the recipe's models say."""
    say(f"fitting a linear model to {counted(len(rows), 'row')}", quiet=quiet)
    texts = [row.texts for row in rows]
    match recipe.data.answer:
        case NumberConfig():
            return LinearBaseline.fit_numbers(texts, [float(row.target) for row in rows])
        case LabelsConfig(separator=separator):
            return LinearBaseline.fit_sets(texts, [split_labels(row.target, separator) for row in rows])
    return LinearBaseline.fit(texts, [as_name(row.target) for row in rows])


def evaluate_baseline(
    baseline: LinearBaseline,
    recipe: ClassificationRecipe,
    test_set: TestSet,
    *,
    metrics: Sequence[str],
    samples: int,
    seed: int,
) -> AnswerEvaluation:
    """Say what the test set asks for, and score it, as that of any other model."""
    match recipe.data.answer:
        case NumberConfig():
            return _numbers(baseline, test_set, metrics, samples, seed)
        case LabelsConfig(separator=separator):
            return _label_sets(baseline, separator, test_set, metrics, samples, seed)
    return _labels(baseline, test_set, metrics, samples, seed)


def _labels(
    baseline: LinearBaseline, test_set: TestSet, metrics: Sequence[str], samples: int, seed: int
) -> LabelEvaluation:
    names = Labels(baseline.labels)
    for pair in test_set.pairs:
        names.number(pair.target, pair.where)  # one that training has not seen is refused, naming its place
    begun = time.monotonic()
    values = baseline.predict_proba([texts_of(pair) for pair in test_set.pairs])
    seconds = time.monotonic() - begun
    said = [baseline.labels[place] for place in values.argmax(axis=1)]
    statistics = scores_of(said, test_set, metrics)
    if "ece" in metrics:
        hits = [label == as_name(pair.target) for label, pair in zip(said, test_set.pairs, strict=True)]
        statistics["ece"] = calibration_statistics(np.asarray(values.max(axis=1)), hits)
    return evaluation_of(
        LabelEvaluation,
        test_set,
        said,
        statistics,
        samples,
        seed,
        **confusion_of(said, test_set),
        seconds=seconds,
    )


def _label_sets(
    baseline: LinearBaseline,
    separator: str,
    test_set: TestSet,
    metrics: Sequence[str],
    samples: int,
    seed: int,
) -> LabelsEvaluation:
    names = LabelSets(baseline.labels, separator)
    right = marks_of([names.numbers(pair.target, pair.where) for pair in test_set.pairs], len(names))
    begun = time.monotonic()
    values = baseline.predict_proba([texts_of(pair) for pair in test_set.pairs])
    seconds = time.monotonic() - begun
    said = values > 0.5
    texts = [names.joined(np.array(names.names)[row]) for row in said]
    return marks_evaluation(
        said, right, values, texts, names.names, test_set, metrics, samples, seed, seconds=seconds
    )


def _numbers(
    baseline: LinearBaseline, test_set: TestSet, metrics: Sequence[str], samples: int, seed: int
) -> NumberEvaluation:
    begun = time.monotonic()
    values = baseline.predict_numbers([texts_of(pair) for pair in test_set.pairs]).tolist()
    seconds = time.monotonic() - begun
    texts = [f"{value:.4f}" for value in values]
    return values_evaluation(values, texts, test_set, metrics, samples, seed, seconds=seconds)


@dataclass(frozen=True)
class MeasuredBaseline:
    """What was fitted to the training rows of a recipe, and measured on its test rows."""

    recipe: ClassificationRecipe
    baseline: LinearBaseline
    rows: int
    """What it was fitted to."""
    seconds: float
    """How long the fitting took; reading is not counted."""
    result: Evaluation


def baseline_record(measured: MeasuredBaseline) -> dict[str, Any]:
    """The result of a linear baseline: it takes the data of a recipe alone, and leaves nothing to chance."""
    recipe = portable(measured.recipe.model_dump(mode="json", include={"task", "data"}))
    now = versions()
    return {
        **measured.result.to_dict(),
        "baseline": measured.baseline.in_words,
        "parameters": measured.baseline.parameters,
        "seed": None,
        "training": {"run": {"seconds": measured.seconds, "rows": measured.rows}, "versions": now},
        "versions": now,
        "recipe": recipe,
    }
