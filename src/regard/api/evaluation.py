"""Models and outputs in numbers: evaluate, compare, and the linear baseline."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from regard.api.loading import load
from regard.api.training import choose_recipe
from regard.config.catalogue import USUAL, TaskName
from regard.config.classification import ClassificationRecipe
from regard.config.load import Settings, recipe_from_dict
from regard.config.recipe import Recipe
from regard.errors import ConfigError, DataError
from regard.evaluation.comparison import SHOWN, Comparison, compare_evaluations
from regard.evaluation.evaluator import (
    Data,
    EvaluationOptions,
    Evaluator,
    System,
    load_test_set,
    named_systems,
    recipe_with_test,
    say_not_measured,
)
from regard.evaluation.outputs import read_outputs
from regard.evaluation.record import model_record
from regard.evaluation.result import Evaluation
from regard.evaluation.test_set import TestSet
from regard.inference.model import TaskModel
from regard.metrics.bootstrap import SAMPLES, SEED
from regard.progress import say
from regard.store.resolve import check_system
from regard.tasks.catalogue import TASKS, evaluator_of
from regard.tasks.classification.baseline_evaluation import (
    MeasuredBaseline,
    baseline_outputs,
    fit_baseline,
    training_rows,
)


def open_system(system: System, *, device: str = "cpu") -> TaskModel | Path:
    """A model that is ready, or the path of a file of outputs."""
    if isinstance(system, TaskModel):
        return _measurable(system, repr(system))
    path = Path(system)
    check_system(path)
    if not path.is_dir():
        return path
    return _measurable(load(path, device=device), str(path))


def _measurable(model: TaskModel, where: str) -> TaskModel:
    if model.task not in TASKS:
        raise ConfigError(f"{where}: is a model for {model.task}; models for {', '.join(TASKS)} are measured")
    return model


def evaluate(
    model: System,
    data: Data | None = None,
    *,
    by: Sequence[str] = (),
    metrics: Sequence[str] | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    task: TaskName | None = None,
    device: str = "cpu",
    quiet: bool = False,
    **options: Unpack[EvaluationOptions],
) -> Evaluation:
    """Measure a model, or a file of outputs, on a corpus.

    model:          a model, its folder, or a file with one output a line or one JSON object a line
    data:           `builtin:ko-en:test`, a file, `-` for a table on stdin, or whatever else a recipe may
                    name; by default the test corpus of the recipe
    by:             columns of the corpus; the scores are also given for each of their values
    metrics:        some of the task's, by default all: bleu, chrf, ter, aer; accuracy, macro_f1, ece; …
    samples:        resampled test sets for the confidence intervals; 0 = no intervals
    seed:           decides what is drawn for them
    task:           what a file of outputs is of, by default translation; a model knows

    Each task has options of its own, by default as in the recipe:

    source, target: of translation: the columns of the two languages (ko and en without a model)
    references:     of translation: the columns of the references, where there are several
    beam_size:      of translation: the width of the search
    text, label:    of classification and tagging, and text of a language model: the columns
    second:         of classification: the column of the second text of a pair
    answer:         of classification: what files of outputs say, label (the default), labels or number; of
                    question answering: the column of the answers
    question:       of question answering: the column of the questions
    """
    system = open_system(model, device=device)
    evaluator, test = _test_set({str(model): system}, data, options, metrics, by=by, task=task, quiet=quiet)
    return _evaluated(
        evaluator, system, test, options, metrics=metrics, samples=samples, seed=seed, quiet=quiet
    )


def _test_set(
    systems: Mapping[str, TaskModel | Path],
    data: Data | None,
    options: EvaluationOptions,
    metrics: Sequence[str] | None,
    *,
    by: Sequence[str],
    task: TaskName | None,
    quiet: bool,
) -> tuple[Evaluator[Any, Any, Any], TestSet]:
    """The evaluator for systems of one task, and the test set."""
    recipe = _evaluated_recipe(systems, data, task)
    answer = options.get("answer", "")
    for name, system in systems.items():
        own = system.recipe if isinstance(system, TaskModel) else None
        if isinstance(own, ClassificationRecipe) and answer not in ("", own.data.answer.kind):
            raise ConfigError(
                f"{name}: says {own.data.answer.kind}, asked for {answer}; leave --answer out, "
                "which is for files of outputs"
            )
    recipe = recipe_with_test(recipe, data, options, evaluator_of(recipe))
    evaluator = evaluator_of(recipe)
    if metrics is not None:
        evaluator.check_metrics(metrics)
    references = options.get("references", ())
    test = load_test_set(recipe, data, read=evaluator.reader, by=by, references=references, quiet=quiet)
    return evaluator, test


def _evaluated(
    evaluator: Evaluator[Any, Any, Any],
    system: TaskModel | Path | Sequence[str],
    test: TestSet,
    options: EvaluationOptions,
    *,
    metrics: Sequence[str] | None,
    samples: int,
    seed: int,
    quiet: bool,
) -> Evaluation:
    result: Evaluation = evaluator.evaluate(
        read_outputs(system, test) if isinstance(system, Path) else system,
        test,
        metrics=metrics,
        samples=samples,
        seed=seed,
        beam_size=options.get("beam_size"),
        quiet=quiet,
    )
    say_not_measured(metrics or (), result, quiet=quiet)
    return result


def _evaluated_recipe(
    systems: Mapping[str, TaskModel | Path], data: Data | None, task: TaskName | None
) -> Recipe:
    """The recipe of the first model; outputs alone have that of their task, with its usual columns."""
    models = {name: system for name, system in systems.items() if isinstance(system, TaskModel)}
    if not models:
        if data is None:
            raise ConfigError("outputs alone do not say which test set they are of; name it")
        return recipe_from_dict({"task": task or USUAL}, "recipe")
    first, chosen = next(iter(models.items()))
    for name, model in models.items():
        if task is not None and model.task != task:
            raise ConfigError(f"{name} is a model for {model.task}, not for {task} (--task)")
        if model.task != chosen.task:
            raise ConfigError(
                f"{name} is a model for {model.task}, and {first} is one for {chosen.task}; "
                f"compare models of one task"
            )
    return chosen.recipe


def compare(
    systems: Sequence[System] | Mapping[str, System],
    data: Data | None = None,
    *,
    by: Sequence[str] = (),
    metrics: Sequence[str] | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    show: int = SHOWN,
    task: TaskName | None = None,
    device: str = "cpu",
    quiet: bool = False,
    **options: Unpack[EvaluationOptions],
) -> Comparison:
    """Measure systems of one task on one corpus, and how sure their differences from the first are.

    systems: models, their folders and files of outputs; a mapping gives them names
    data:    as in `evaluate`; by default the test corpus of the first model
    show:    how many of the sentences in which they differ most to keep
    The rest is as for `evaluate`.
    """
    named = dict(systems) if isinstance(systems, Mapping) else named_systems(systems)
    if len(named) < 2:
        raise DataError(
            f"a comparison needs two systems or more, found {len(named)}; regard evaluate takes one"
        )
    if samples < 1:
        raise DataError(f"a comparison needs 1 resampled test set or more, found {samples}")
    opened = {name: open_system(system, device=device) for name, system in named.items()}
    models = {name: system for name, system in opened.items() if isinstance(system, TaskModel)}
    known: str = task or next((model.task for model in models.values()), USUAL)
    alike = {name: model for name, model in models.items() if model.task == known}
    for model in list(alike.values())[:1]:
        evaluator_of(model.recipe).check_comparable(alike)
    evaluator, test = _test_set(opened, data, options, metrics, by=by, task=task, quiet=quiet)
    ready = {
        name: system if isinstance(system, TaskModel) else read_outputs(system, test)
        for name, system in opened.items()
    }
    evaluations: dict[str, Evaluation] = {}
    for name, system in ready.items():
        say(f"{name} ({len(evaluations) + 1} of {len(ready)})", quiet=quiet)
        evaluations[name] = _evaluated(
            evaluator, system, test, options, metrics=metrics, samples=samples, seed=seed, quiet=quiet
        )
    return compare_evaluations(evaluations, show=show)


def baseline(
    recipe: str | Path | Recipe,
    *,
    set_: Settings = (),
    by: Sequence[str] = (),
    metrics: Sequence[str] | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = False,
) -> Evaluation:
    """Fit a linear model to the training rows of a recipe for classification; measure it on its test rows.

    TF-IDF of n-grams of words and of characters, and logistic regression, for each label alone where a text
    may have several; of numbers, ridge regression (extra `baselines`). The scores are those that `evaluate`
    has.

    set_: settings of the recipe to change, as for `train`
    The rest is as for `evaluate`.
    """
    chosen = choose_recipe(recipe, set_)
    return measured_baseline(chosen, by, metrics, samples=samples, seed=seed, quiet=quiet).result


def measured_baseline(
    chosen: Recipe,
    by: Sequence[str],
    metrics: Sequence[str] | None,
    *,
    samples: int,
    seed: int,
    quiet: bool,
) -> MeasuredBaseline:
    """As `baseline`, with the fitted model itself and what it took."""
    if not isinstance(chosen, ClassificationRecipe):
        raise ConfigError(f"a linear baseline is for classification, and the recipe is for {chosen.task}")
    evaluator = evaluator_of(chosen)
    if metrics is not None:
        evaluator.check_metrics(metrics)
    test = load_test_set(chosen, None, read=evaluator.reader, by=by, references=(), quiet=quiet)
    rows = training_rows(chosen, quiet=quiet)
    begun = time.monotonic()
    fitted = fit_baseline(rows, chosen, quiet=quiet)
    seconds = time.monotonic() - begun
    outputs = baseline_outputs(fitted, chosen, test)
    result = evaluator.evaluate(outputs, test, metrics=metrics, samples=samples, seed=seed, quiet=quiet)
    return MeasuredBaseline(chosen, fitted, len(rows), seconds, result)


def result_record(
    model: TaskModel,
    result: Evaluation,
    data: Data | None = None,
    *,
    training: Mapping[str, Any] | None = None,
    **options: Unpack[EvaluationOptions],
) -> dict[str, Any]:
    """A result as it is kept in a file: the scores, and everything that they depend on.

    training: what `training_facts` knows of the run
    The options are those of `evaluate`.
    """
    recipe = recipe_with_test(model.recipe, data, options, evaluator_of(model.recipe))
    return model_record(model, result, recipe, training or {})
