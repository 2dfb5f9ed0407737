"""The linear baseline of a recipe's data: fitted on its training rows, and measured as its models are."""

import time
from collections.abc import Sequence

import numpy as np

from regard.config.classification import ClassificationRecipe
from regard.data.labelled import LabelledText, read_labelled
from regard.errors import ConfigError
from regard.metrics.bootstrap import SAMPLES, SEED
from regard.metrics.calibration import calibration_statistics
from regard.progress import counted, say, track
from regard.tasks.baseline import LinearBaseline
from regard.tasks.classified import texts_of
from regard.tasks.evaluation import check_metrics, evaluation_of
from regard.tasks.gold import Gold
from regard.tasks.label_evaluation import METRICS, LabelEvaluation, confusion_of, scores_of
from regard.text.labels import Labels, as_name


def check_baseline(recipe: ClassificationRecipe) -> None:
    """Refuse, before any work, what a linear baseline cannot say."""
    if recipe.data.answer.kind != "label":
        raise ConfigError(f"the linear baseline says one label, and data.answer is {recipe.data.answer.kind}")


def training_rows(recipe: ClassificationRecipe, *, quiet: bool = True) -> list[LabelledText]:
    """What a recipe's models learn from."""
    data = recipe.data
    return list(track(read_labelled(data.train, data, split="train"), "reading", unit="rows", quiet=quiet))


def fit_baseline(rows: Sequence[LabelledText], *, quiet: bool = True) -> LinearBaseline:
    """TF-IDF of words and characters, and logistic regression, on labelled texts."""
    say(f"fitting a linear model to {counted(len(rows), 'row')}", quiet=quiet)
    return LinearBaseline.fit([row.texts for row in rows], [as_name(row.target) for row in rows])


def evaluate_baseline(
    baseline: LinearBaseline,
    gold: Gold,
    *,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
) -> LabelEvaluation:
    """Label the texts and score the labels, as those of any other model."""
    check_metrics(metrics, METRICS)
    names = Labels(baseline.labels)
    for pair in gold.pairs:
        names.number(pair.target, pair.where)  # one that training has not seen is refused, naming its place
    begun = time.monotonic()
    values = baseline.predict_proba([texts_of(pair) for pair in gold.pairs])
    seconds = time.monotonic() - begun
    said = [baseline.labels[place] for place in values.argmax(axis=1)]
    statistics = scores_of(said, gold, metrics)
    if "ece" in metrics:
        hits = [label == as_name(pair.target) for label, pair in zip(said, gold.pairs, strict=True)]
        statistics["ece"] = calibration_statistics(np.asarray(values.max(axis=1)), hits)
    return evaluation_of(
        LabelEvaluation, gold, said, statistics, samples, seed, **confusion_of(said, gold), seconds=seconds
    )
