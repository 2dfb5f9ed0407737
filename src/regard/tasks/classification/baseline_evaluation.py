"""The linear baseline of a recipe's data: fitted on its training rows, and evaluated as its models are."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.config.answer import LabelsConfig, NumberConfig
from regard.config.classification import ClassificationRecipe
from regard.data.labelled import LabelledText, read_labelled
from regard.evaluation.outputs import Outputs
from regard.evaluation.record import portable
from regard.evaluation.result import Evaluation
from regard.evaluation.test_set import TestSet
from regard.progress import counted, say, track
from regard.tasks.classification.baseline import LinearBaseline
from regard.tasks.classification.evaluation import LabelSetOutputs, marks_of
from regard.tasks.classification.evaluator import texts_of
from regard.tasks.classification.result import Classification
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


def baseline_outputs(
    baseline: LinearBaseline, recipe: ClassificationRecipe, test: TestSet
) -> Outputs[Classification]:
    """What it predicts for a test set, to be scored as the outputs of any other model."""
    texts = [texts_of(pair) for pair in test.pairs]
    begun = time.monotonic()
    match recipe.data.answer:
        case NumberConfig():
            values = baseline.predict_numbers(texts).tolist()
            written = tuple(f"{value:.4f}" for value in values)
            return Outputs(written, seconds=time.monotonic() - begun, values=tuple(values))
        case LabelsConfig(separator=separator):
            label_set = LabelSets(baseline.labels, separator)
            marks_of([(pair.target, pair.where) for pair in test.pairs], label_set)
            begun = time.monotonic()
            shares = baseline.predict_proba(texts)
            seconds = time.monotonic() - begun
            marks = shares > 0.5
            return LabelSetOutputs(
                tuple(label_set.joined(np.array(label_set.names)[row]) for row in marks),
                seconds=seconds,
                confidence=np.where(marks, shares, 1 - shares),
                label_set=label_set,
                marks=marks,
            )
    names = Labels(baseline.labels)
    for pair in test.pairs:
        names.number(pair.target, pair.where)  # one that training has not seen is refused, naming its place
    begun = time.monotonic()
    shares = baseline.predict_proba(texts)
    seconds = time.monotonic() - begun
    labels = tuple(baseline.labels[place] for place in shares.argmax(axis=1))
    return Outputs(labels, seconds=seconds, confidence=np.asarray(shares.max(axis=1)))


@dataclass(frozen=True)
class MeasuredBaseline:
    """A baseline fitted to the training rows of a recipe, and its scores on the test rows."""

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
