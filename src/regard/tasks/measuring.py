"""What is measured, on what, and under which name."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from regard.config.data import STDIN
from regard.config.load import Setting, with_settings
from regard.config.recipe import Recipe
from regard.config.yaml import parse_yaml
from regard.errors import ConfigError, DataError
from regard.tasks.evaluation import Evaluation, evaluate_outputs, evaluate_translations
from regard.tasks.gold import Gold, read_gold
from regard.tasks.outputs import read_outputs
from regard.tasks.translation import Translator

System = Translator | str | Path
"""A model, its folder, or a file of outputs."""
Data = str | Path | Sequence[Any] | Mapping[str, Any]
"""A corpus: in its short form, as a list of corpora, or as a section of a recipe."""


def named_systems(systems: Sequence[System]) -> dict[str, System]:
    """Systems by the last part of their path, or by all of it where that part is not enough."""
    if isinstance(systems, str | Path):
        raise DataError(f"expected a list of systems, found only '{systems}'")
    paths = [None if isinstance(system, Translator) else Path(system) for system in systems]
    short = [path.name or str(path) if path else f"model {n}" for n, path in enumerate(paths, start=1)]
    names = [
        str(path) if path and short.count(name) > 1 else name for path, name in zip(paths, short, strict=True)
    ]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise DataError(f"{twice}: is named twice; compare different systems")
    return dict(zip(names, systems, strict=True))


def check_languages(models: Mapping[str, Translator]) -> None:
    """Refuse models of different language pairs."""
    pairs = {name: f"{m.recipe.data.source}→{m.recipe.data.target}" for name, m in models.items()}
    for name, pair in pairs.items():
        first = next(iter(pairs))
        if pair != pairs[first]:
            raise DataError(
                f"{name} translates {pair}, but {first} {pairs[first]}; compare models of one pair"
            )


def recipe_with_test(
    system: Translator | Path | None, data: Data | None, source: str, target: str, references: Sequence[str]
) -> Recipe:
    """The recipe of a model, with what to measure on put into it."""
    if references and target:
        raise ConfigError("target and references exclude each other: the references are the target")
    if data is None and not isinstance(system, Translator):
        raise ConfigError("outputs alone do not say which test set they are of; name it")
    recipe = system.recipe if isinstance(system, Translator) else Recipe()
    settings: list[Setting] = []
    if data is not None:
        settings.append(("data.test", _written(data)))
    if source:
        settings.append(("data.source", source))
    if references or target:
        settings.append(("data.target", references[0] if references else target))
    return with_settings(recipe, settings)


def _written(data: Data) -> Data:
    """A corpus as a recipe would have it; a text in braces or brackets is read as YAML."""
    if isinstance(data, Path):
        return str(data)
    if isinstance(data, str) and data.startswith(("{", "[")):
        section: Data = parse_yaml(data, "data")
        return section
    return f"tsv:{STDIN}" if data == STDIN else data


def gold_of(
    recipe: Recipe, data: Data | None, *, by: Sequence[str], references: Sequence[str], quiet: bool
) -> Gold:
    """The test set that a recipe names."""
    if recipe.data.test is None:
        raise ConfigError("the recipe of this model names no data.test; say what to measure on")
    return read_gold(
        recipe.data.test,
        recipe.data,
        by=by,
        other_references=references[1:],
        name="" if data is None else str(data),
        quiet=quiet,
    )


def measure(
    system: Translator | Path | Sequence[str],
    gold: Gold,
    metrics: Sequence[str],
    samples: int,
    seed: int,
    beam_size: int | None,
    *,
    quiet: bool,
) -> Evaluation:
    """Score a model, or a file of outputs, or the outputs in it."""
    if isinstance(system, Translator):
        return evaluate_translations(
            system, gold, beam_size=beam_size, metrics=metrics, samples=samples, seed=seed, quiet=quiet
        )
    texts = read_outputs(system, gold) if isinstance(system, Path) else system
    return evaluate_outputs(texts, gold, metrics=metrics, samples=samples, seed=seed, quiet=quiet)
