"""Evaluation: what is scored, on what, and by which metrics; each task has an `Evaluator`."""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, TypedDict, TypeVar

from regard.config.load import Setting, with_settings
from regard.config.recipe import Recipe
from regard.config.yaml import parse_yaml
from regard.data.lines import is_stream
from regard.data.pairs import Pair, read_pairs
from regard.data.schema import Reader
from regard.errors import ConfigError, DataError, did_you_mean
from regard.evaluation.outputs import Outputs
from regard.evaluation.result import Evaluation, make_evaluation
from regard.evaluation.test_set import TestSet, read_test_set
from regard.inference.model import TaskModel
from regard.metrics.bootstrap import SAMPLES, SEED
from regard.metrics.metric import METRICS, Metric
from regard.metrics.statistics import Statistics, mean_of
from regard.progress import say, track

System = TaskModel | str | Path
"""A model, its folder, or a file of outputs."""
Data = str | Path | Sequence[Any] | Mapping[str, Any]
"""A corpus: in its short form, as a list of corpora, or as a section of a recipe."""
Model = TypeVar("Model", bound=TaskModel)
R = TypeVar("R")
Given = TypeVar("Given", bound=Outputs[Any])
E = TypeVar("E", bound=Evaluation)
_TOGETHER = 512
"""Rows between two lines of progress."""


class EvaluationOptions(TypedDict, total=False):
    """Options of a test set and of the models, beside the corpus; each task knows some of them."""

    source: str
    """The column to translate."""
    target: str
    """The column of the reference."""
    references: Sequence[str]
    """The columns of the references, where there are several."""
    text: str
    """The column of the text."""
    second: str
    """The column of the second text of a pair."""
    label: str
    """The column of the label, of the tags, or of the score of a pair."""
    answer: str
    """Of classification: the output type; of question answering: the column of the answers."""
    question: str
    """The column of the questions."""
    beam_size: int | None
    """The width of the search."""


@dataclass(frozen=True)
class Scoring:
    """How outputs are scored."""

    metrics: Sequence[str]
    samples: int = SAMPLES
    """Resampled test sets for the confidence intervals; 0 = no intervals."""
    seed: int = SEED
    beam_size: int | None = None
    quiet: bool = True


SentenceScore = Callable[[str, str], float]
"""The score of one output beside its reference."""


@dataclass(frozen=True)
class OwnMetric:
    """A metric of a plugin: the mean of the scores of the outputs."""

    metric: Metric
    score: SentenceScore

    def statistics(self, outputs: Outputs[Any], test: TestSet) -> Statistics:
        """The score of each output; of several references, the one that it is best beside."""
        best = min if self.metric.lower_is_better else max
        pairs = zip(outputs.texts, test.references, strict=True)
        return mean_of([best(float(self.score(text, one)) for one in right) for text, right in pairs])


OWN_METRICS: dict[str, dict[str, OwnMetric]] = {}
"""Of plugins, by task and name."""


class Evaluator(ABC, Generic[Model, Given, E]):
    """How the models of a task, and outputs of others, are scored.

    A task says what a model predicts, how a file of outputs is read, and the statistics of both, sentence by
    sentence. Confidence intervals, groups, the best and the worst, and comparisons come from these alone.
    """

    task: ClassVar[str]
    metrics: ClassVar[tuple[Metric, ...]]
    options: ClassVar[Mapping[str, str]]
    """The options of the task, each with the setting of the recipe that it changes; "" where it has none."""
    evaluation: type[E]
    reader: Reader[Any, Pair]
    """Reads the rows of a corpus."""

    @classmethod
    def of(cls, recipe: Recipe) -> "Evaluator[Any, Any, Any]":
        """The evaluator for models of a recipe."""
        del recipe
        return cls()

    @abstractmethod
    def predict(self, model: Model, test: TestSet, scoring: Scoring) -> Given:
        """What a model gives for a test set."""

    @abstractmethod
    def parse(self, lines: Sequence[str], test: TestSet) -> Given:
        """Outputs from elsewhere, one line for each row."""

    @abstractmethod
    def score(self, outputs: Given, test: TestSet, scoring: Scoring) -> dict[str, Statistics]:
        """The metrics sentence by sentence, calibration apart."""

    def calibration(self, outputs: Given, test: TestSet) -> Statistics:
        """The calibration error of outputs whose confidence is known."""
        raise NotImplementedError(f"{self.task} has no probabilities")

    @property
    def all_metrics(self) -> tuple[Metric, ...]:
        """The metrics of the task, and those that plugins have for it."""
        return (*self.metrics, *(own.metric for own in OWN_METRICS.get(self.task, {}).values()))

    def check_comparable(self, models: Mapping[str, Model]) -> None:
        """Refuse models that cannot be compared with each other."""
        first = next(iter(models), "")
        for name, model in models.items():
            if why := self.not_comparable(name, model, first, models[first]):
                raise DataError(why)

    def not_comparable(self, name: str, model: Model, first: str, base: Model) -> str | None:
        """Why a model cannot be compared with the first one; None if it can."""
        del name, model, first, base
        return None

    def settings(self, options: EvaluationOptions) -> list[Setting]:
        """The options as settings of a recipe; what has no meaning for the task is refused."""
        known = ", ".join(self.options)
        for name in options:
            if name not in EvaluationOptions.__annotations__:
                raise ConfigError(f"unknown option {name}; {self.task} knows {known}")
        given = {name: value for name, value in options.items() if value}
        for name in given:
            if name not in self.options:
                raise ConfigError(f"{name} is not for {self.task}, which knows {known}; leave it out")
        return [(setting, given[name]) for name, setting in self.options.items() if setting and name in given]

    def evaluate(
        self,
        system: Model | Given | Sequence[str],
        test: TestSet | Sequence[Pair],
        *,
        metrics: Sequence[str] | None = None,
        samples: int = SAMPLES,
        seed: int = SEED,
        beam_size: int | None = None,
        quiet: bool = True,
    ) -> E:
        """Score a model, outputs, or lines of outputs from elsewhere.

        metrics: by default all but those that are computed on request
        """
        test = test if isinstance(test, TestSet) else TestSet.of(test)
        usual = [metric.name for metric in self.all_metrics if not metric.on_request]
        wanted = usual if metrics is None else metrics
        self.check_metrics(wanted)
        scoring = Scoring(wanted, samples, seed, beam_size, quiet)
        if isinstance(system, TaskModel):
            outputs = self.predict(system, test, scoring)
        elif isinstance(system, Outputs):
            outputs = system
        else:
            outputs = self._given(system, test, wanted)
        own = {name: metric for name, metric in OWN_METRICS.get(self.task, {}).items() if name in wanted}
        statistics = self.score(outputs, test, replace(scoring, metrics=[n for n in wanted if n not in own]))
        statistics |= {name: metric.statistics(outputs, test) for name, metric in own.items()}
        if "ece" in wanted and outputs.confidence is not None:
            statistics["ece"] = self.calibration(outputs, test)
        statistics |= outputs.statistics
        return make_evaluation(self.evaluation, test, outputs, statistics, samples=samples, seed=seed)

    def _given(self, lines: Sequence[str], test: TestSet, wanted: Sequence[str]) -> Given:
        if len(lines) != len(test):
            raise DataError(
                f"expected {len(test):,} outputs, one for each row of {test.name}, found {len(lines):,}"
            )
        missing = {metric.name: metric.needs_model for metric in self.metrics if metric.needs_model}
        self.check_some(wanted, missing)
        return replace(self.parse(lines, test), not_measured=missing)

    def check_metrics(self, wanted: Sequence[str]) -> None:
        """Refuse a metric that the task does not have."""
        known = [metric.name for metric in self.all_metrics]
        if isinstance(wanted, str):
            raise DataError(f"metrics: expected a list of names, such as ['{wanted}'], found a text")
        if not wanted:
            raise DataError(f"expected a metric or several of {', '.join(known)}, found none")
        for name in wanted:
            if name not in known:
                raise DataError(f"no metric is called '{name}'; {did_you_mean(name, known)}")

    def check_some(self, wanted: Sequence[str], missing: Mapping[str, str]) -> None:
        """Refuse to work for nothing.

        missing: why there is none of some metrics
        """
        if {*wanted} <= missing.keys():
            why = "; ".join(f"no {name}: {missing[name]}" for name in dict.fromkeys(wanted))
            others = ", ".join(metric.name for metric in self.all_metrics if metric.name not in missing)
            raise DataError(f"{why}; choose {others}")


def metrics_of(*names: str) -> tuple[Metric, ...]:
    """Metrics by their names."""
    return tuple(METRICS[name] for name in names)


def timed(
    results: Iterable[R], test: TestSet, what: str, unit: str, *, quiet: bool
) -> tuple[tuple[R, ...], float]:
    """The results for all rows of a test set, and the seconds that they took."""
    begun = time.monotonic()
    found = tuple(track(results, what, unit=unit, total=len(test), every=_TOGETHER, quiet=quiet))
    return found, time.monotonic() - begun


def number_of(text: str, line: int) -> float:
    """An output that is a number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise DataError(f"line {line} of the outputs: expected a number, found '{text[:40]}'")
    return value


def say_not_measured(wanted: Sequence[str], result: Evaluation, *, quiet: bool) -> None:
    """Say why metrics that somebody asked for by name are not there."""
    for name in dict.fromkeys(wanted):
        if name not in result.metrics:
            why = result.not_measured.get(name, "there is nothing to compute it on")
            say(f"no {name}: {why}", quiet=quiet)


def named_systems(systems: Sequence[System]) -> dict[str, System]:
    """Systems by the last part of their path, or by all of it where that part is not enough."""
    if isinstance(systems, str | Path):
        raise DataError(f"expected a list of systems, found only '{systems}'")
    paths = [None if isinstance(system, TaskModel) else Path(system) for system in systems]
    short = [path.name or str(path) if path else f"model {n}" for n, path in enumerate(paths, start=1)]
    names = [
        str(path) if path and short.count(name) > 1 else name for path, name in zip(paths, short, strict=True)
    ]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise DataError(f"{twice}: is named twice; compare different systems")
    return dict(zip(names, systems, strict=True))


def recipe_with_test(
    recipe: Recipe,
    data: Data | None,
    options: EvaluationOptions,
    evaluator: "Evaluator[Any, Any, Any]",
) -> Recipe:
    """A recipe, with what to evaluate on put into it."""
    settings: list[Setting] = []
    if data is not None:
        settings.append(("data.test", _written(data)))
    return with_settings(recipe, [*settings, *evaluator.settings(options)])


def _written(data: Data) -> Data:
    """A corpus as a recipe would have it; a text in braces or brackets is read as YAML."""
    if isinstance(data, Path):
        data = str(data)
    if isinstance(data, str) and data.startswith(("{", "[")):
        section: Data = parse_yaml(data, "data")
        return section
    return f"tsv:{data}" if isinstance(data, str) and is_stream(data) else data


def load_test_set(
    recipe: Recipe,
    data: Data | None,
    *,
    read: Callable[..., Iterator[Pair]] = read_pairs,
    by: Sequence[str],
    references: Sequence[str],
    quiet: bool,
) -> TestSet:
    """The test set that a recipe names; `read` is the reader of its task."""
    if isinstance(by, str):
        raise DataError(f"by: expected a list of columns, such as ['{by}'], found a text")
    if recipe.data.test is None:
        raise ConfigError("the recipe of this model names no data.test; name a test set")
    return read_test_set(
        recipe.data.test,
        recipe.data,
        read=read,
        by=by,
        other_references=references[1:],
        name="" if data is None else str(data),
        quiet=quiet,
    )
