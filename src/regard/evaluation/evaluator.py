"""What is measured, on what, and under which name; how each task does it is a `Measures`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Protocol

from regard.config.data import CorporaConfig, Corpus
from regard.config.load import Setting, with_settings
from regard.config.recipe import Recipe
from regard.config.yaml import parse_yaml
from regard.data.bad_rows import BadRows
from regard.data.lines import is_stream
from regard.data.pairs import Pair, read_pairs
from regard.errors import ConfigError, DataError
from regard.evaluation.outputs import read_outputs
from regard.evaluation.scores import Evaluation
from regard.evaluation.test_set import TestSet, read_test_set
from regard.inference.model import TaskModel

System = TaskModel | str | Path
"""A model, its folder, or a file of outputs."""
Data = str | Path | Sequence[Any] | Mapping[str, Any]
"""A corpus: in its short form, as a list of corpora, or as a section of a recipe."""


@dataclass(frozen=True)
class Asked:
    """What may be said of a test set and of the measuring, beside the corpus; each task knows some of it."""

    source: str = ""
    target: str = ""
    references: Sequence[str] = ()
    text: str = ""
    label: str = ""
    beam_size: int | None = None
    second: str = ""
    answer: str = ""
    question: str = ""

    def only(self, *known: str, task: str) -> None:
        """Refuse what the task does not know."""
        for one in fields(self):
            if getattr(self, one.name) and one.name not in known:
                raise ConfigError(
                    f"{one.name} is not for {task}, which knows {', '.join(known)}; leave it out"
                )


class Measures(Protocol):
    """How the models of a task, and outputs of others, are measured."""

    metrics: tuple[str, ...]
    """All that there are."""

    def settings(self, asked: Asked) -> list[Setting]:
        """The columns that were asked for, as settings of a recipe; what has no meaning is refused."""
        ...

    def read(
        self, corpus: Corpus, data: CorporaConfig, *, split: str, bad: BadRows, more: Sequence[str]
    ) -> Iterator[Pair]:
        """The rows of a corpus."""
        ...

    def check_alike(self, models: Mapping[str, TaskModel]) -> None:
        """Refuse models that cannot be compared with each other."""
        ...

    def of_model(
        self, model: TaskModel, test_set: TestSet, asked: Asked, metrics: Sequence[str], *,
        samples: int, seed: int, quiet: bool,
    ) -> Evaluation:  # fmt: skip
        """Measure a model."""
        ...

    def of_outputs(
        self, texts: Sequence[str], test_set: TestSet, metrics: Sequence[str], *,
        samples: int, seed: int, quiet: bool,
    ) -> Evaluation:  # fmt: skip
        """Measure outputs that somebody made before."""
        ...


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


def recipe_with_test(recipe: Recipe, data: Data | None, asked: Asked, measures: Measures) -> Recipe:
    """A recipe, with what to measure on put into it."""
    settings: list[Setting] = []
    if data is not None:
        settings.append(("data.test", _written(data)))
    return with_settings(recipe, [*settings, *measures.settings(asked)])


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
        raise ConfigError("the recipe of this model names no data.test; say what to measure on")
    return read_test_set(
        recipe.data.test,
        recipe.data,
        read=read,
        by=by,
        other_references=references[1:],
        name="" if data is None else str(data),
        quiet=quiet,
    )


def measure(
    system: TaskModel | Path | Sequence[str],
    test_set: TestSet,
    measures: Measures,
    asked: Asked,
    metrics: Sequence[str],
    *,
    samples: int,
    seed: int,
    quiet: bool,
) -> Evaluation:
    """Score a model, or a file of outputs, or the outputs in it."""
    options: dict[str, Any] = {"samples": samples, "seed": seed, "quiet": quiet}
    if isinstance(system, TaskModel):
        return measures.of_model(system, test_set, asked, metrics, **options)
    texts = read_outputs(system, test_set) if isinstance(system, Path) else system
    return measures.of_outputs(texts, test_set, metrics, **options)
