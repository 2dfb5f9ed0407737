"""Find a recipe, change settings, validate; and say what may be in one."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, TypeVar, Union, overload

import yaml
from pydantic import TypeAdapter, ValidationError

from regard.config.base import Config
from regard.config.catalogue import RECIPES, USUAL, misplaced_family
from regard.config.data import OneCorpus, expand_short_form
from regard.config.problems import config_error
from regard.config.recipe import Recipe
from regard.config.shipped import recipe_text
from regard.config.yaml import parse_yaml
from regard.errors import ConfigError, did_you_mean

R = TypeVar("R", bound=Recipe)
Setting = str | tuple[str, Any]
"""A setting to change: `model.dropout=0.2`, its value read as YAML; or the path and the value itself."""
Settings = Mapping[str, Any] | Sequence[Setting]
"""Several of them, one after the other; or the values by their paths."""


@overload
def load_recipe(name_or_path: str, settings: Settings = ()) -> Recipe: ...
@overload
def load_recipe(name_or_path: str, settings: Settings = (), *, kind: type[R]) -> R: ...
def load_recipe(name_or_path: str, settings: Settings = (), *, kind: type[Recipe] = Recipe) -> Recipe:
    """Read a shipped recipe or a recipe file, and change some of its settings.

    kind: the recipes of a task, such as `TranslationRecipe`; one that is for another task is refused

    >>> load_recipe("bahdanau", ["model.dropout=0.2"]).model.dropout
    0.2
    """
    text, where = recipe_text(name_or_path)
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        raise ConfigError(
            f"{where}: expected a recipe in YAML, found HTML or XML, as of a saved web page; "
            f"'regard recipes bahdanau > mine.yaml' writes a recipe to begin with"
        )
    recipe = _validate(_override(_as_mapping(parse_yaml(text, where), where), settings, where), where)
    if not isinstance(recipe, kind):
        wanted = kind.model_fields["task"].default
        raise ConfigError(f"{where}: is for {recipe.task}, and a recipe for {wanted} is needed here")
    return recipe


def recipe_from_dict(values: dict[str, Any], where: str) -> Recipe:
    """Validate a recipe that was stored as JSON."""
    return _validate(values, where)


def to_yaml(recipe: Recipe) -> str:
    """The whole recipe with every default written out."""
    text: str = yaml.safe_dump(recipe.model_dump(mode="json"), allow_unicode=True, sort_keys=False)
    return text


def with_settings(recipe: R, settings: Settings) -> R:
    """The recipe with some settings changed; its task stays."""
    changed = _validate(_override(recipe.model_dump(mode="json"), settings, "recipe"), "recipe")
    if not isinstance(changed, type(recipe)):
        raise ConfigError(f"task: {recipe.task} cannot become {changed.task}; name a recipe for that task")
    return changed


def first_difference(
    one: Config,
    other: Config,
    within: str = "",
    *,
    ignoring: Collection[str] = (),
    names: tuple[str, str] = ("there", "here"),
) -> str | None:
    """The first setting in which two sections, such as recipes, differ, in words; None if they are equal.

    within:   the name of the section
    ignoring: names of settings that may differ
    names:    where the two are
    """

    def walk(a: Any, b: Any, path: str) -> str | None:
        if isinstance(a, dict) and isinstance(b, dict):
            both = [name for name in {**a, **b} if name not in ignoring]
            found = (walk(a.get(name), b.get(name), f"{path}.{name}".lstrip(".")) for name in both)
            return next(filter(None, found), None)
        return None if a == b else f"{path} is {a!r} {names[0]}, {b!r} {names[1]}"

    return walk(one.model_dump(mode="json"), other.model_dump(mode="json"), within)


def recipe_schema() -> str:
    """The JSON schema of a recipe, for editors."""
    classes: Any = Union[tuple(RECIPES.values())]  # noqa: UP007  # of a dict that may grow
    schema = TypeAdapter(classes).json_schema(mode="validation")
    schema["title"] = "Recipe"
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return json.dumps(schema, indent=2, ensure_ascii=False)


def corpus_from_short_form(
    written: str | dict[str, Any], conditions: Sequence[str] = (), rows: int | None = None
) -> OneCorpus:
    """The corpus that a short form or a section stands for; `rows` is for a built-in world."""
    try:
        section = expand_short_form(written)
        if conditions:
            section["filter"] = list(conditions)
        if rows is not None and section["kind"] == "builtin" and not conditions:
            section["rows"] = rows
        adapter: TypeAdapter[OneCorpus] = TypeAdapter(OneCorpus)
        return adapter.validate_python(section)
    except ValidationError as error:
        raise config_error(error, RECIPES[USUAL], str(written)) from None
    except ValueError as error:
        raise ConfigError(str(error)) from None


def _as_mapping(value: Any, where: str) -> dict[str, Any]:
    if not value and not isinstance(value, int | float | str):
        raise ConfigError(
            f"{where}: is empty; a recipe says at least what it is for, such as 'task: translation'"
        )
    if not isinstance(value, dict):
        found = "a list" if isinstance(value, list) else "a text" if isinstance(value, str) else repr(value)
        raise ConfigError(f"{where}: expected sections such as 'model:', found {found}")
    return value


def _validate(values: dict[str, Any], where: str) -> Recipe:
    task = values.get("task", USUAL)
    if not isinstance(task, str) or task not in RECIPES:
        raise ConfigError(f"{where}: task: unknown value {task!r}; {did_you_mean(str(task), RECIPES)}")
    recipe = RECIPES[task]
    if problem := misplaced_family(values, recipe):
        raise ConfigError(f"{where}: {problem}")
    try:
        return recipe.model_validate(values)
    except ValidationError as error:
        model = values.get("model")
        family = model.get("kind") if isinstance(model, dict) else None
        raise config_error(error, recipe, where, family) from None


def _override(values: dict[str, Any], settings: Settings, where: str) -> dict[str, Any]:
    """Set values in the recipe as it is written, so that a section keeps what it said."""
    if not settings:
        return values
    recipe = _validate(values, where)
    written, resolved = recipe.model_dump(exclude_unset=True), recipe.model_dump()
    for setting in as_list(settings):
        path, value = _parse(setting) if isinstance(setting, str) else setting
        _assign(
            written, resolved, path.split("."), deepcopy(value)
        )  # a later setting may change a part of it
    return written


def as_list(settings: Settings) -> list[Setting]:
    """Settings one by one.

    >>> as_list({"model.dropout": 0.2})
    [('model.dropout', 0.2)]
    """
    if isinstance(settings, str):  # a sequence of str to the type checker, and meant as one setting
        return [settings]
    if not isinstance(settings, Iterable):
        raise ConfigError(f"set_: expected settings such as {{'model.dropout': 0.2}}, found {settings!r:.40}")
    return list(settings.items()) if isinstance(settings, Mapping) else list(settings)


def _parse(setting: str) -> tuple[str, Any]:
    path, equals, value = setting.partition("=")
    if not equals or not all(path.split(".")):
        raise ConfigError(f"--set {setting}: expected a.b=value, such as model.dropout=0.2")
    try:
        return path, parse_yaml(value, f"--set {path}")
    except ConfigError as error:
        if set(value) & set("[]{}'\"\n"):  # more than a plain text that begins like something else
            raise
        raise ConfigError(f"{error}; put it in quotes: \"{path}='{value}'\"") from None


def _assign(written: dict[str, Any], resolved: Any, path: list[str], value: Any) -> None:
    """Set one value; a section on the way there that the recipe leaves to its default is written out."""
    for name in path[:-1]:
        resolved = resolved.get(name) if isinstance(resolved, dict) else None
        if written.get(name) is None:
            written[name] = dict(resolved) if isinstance(resolved, dict) else {}
        elif not isinstance(written[name], dict):
            written[name] = _as_section(written[name], path)
        written = written[name]
    written[path[-1]] = value


def _as_section(value: Any, path: list[str]) -> dict[str, Any]:
    """A corpus in its short form, written out, so that one of its settings can be changed."""
    try:
        section = expand_short_form(value)
    except ValueError:
        section = None
    if not isinstance(section, dict):
        raise ConfigError(
            f"--set {'.'.join(path)}: {'.'.join(path[:-1])} is {value!r}, which has no settings"
        )
    return section
