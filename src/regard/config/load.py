"""Find a recipe, apply overrides, validate; and say what may be in one."""

import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from regard.config.problems import config_error
from regard.config.recipe import Recipe
from regard.config.yaml import parse_yaml
from regard.errors import ConfigError, did_you_mean

_SHIPPED = resources.files("regard.config") / "recipes"


def shipped_recipes() -> list[str]:
    """Names of the recipes in the package."""
    names = (entry.name for entry in _SHIPPED.iterdir())
    return sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml"))


def recipe_text(name_or_path: str) -> tuple[str, str]:
    """The text of a shipped recipe or of a recipe file, and how to name it in an error."""
    if name_or_path in shipped_recipes():
        return (_SHIPPED / f"{name_or_path}.yaml").read_text(encoding="utf-8"), f"recipe {name_or_path}"
    path = Path(name_or_path)
    if path.is_file():
        try:
            return path.read_text(encoding="utf-8"), str(path)
        except UnicodeDecodeError as error:
            raise ConfigError(f"{path}: not UTF-8 text at byte {error.start}") from None
        except OSError as error:
            raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    if path.suffix in (".yaml", ".yml") or "/" in name_or_path:
        raise ConfigError(f"{path}: no such recipe file")
    hint = did_you_mean(name_or_path, shipped_recipes())
    raise ConfigError(f"no recipe is called '{name_or_path}'; {hint}")


def load_recipe(name_or_path: str, overrides: Sequence[str] = ()) -> Recipe:
    """Read a shipped recipe or a recipe file, with overrides such as `model.dropout=0.2`."""
    text, where = recipe_text(name_or_path)
    return _validate(_override(_as_mapping(parse_yaml(text, where), where), overrides, where), where)


def recipe_from_dict(values: dict[str, Any], where: str) -> Recipe:
    """Validate a recipe that was stored as JSON."""
    return _validate(values, where)


def to_yaml(recipe: Recipe) -> str:
    """The whole recipe with every default written out."""
    text: str = yaml.safe_dump(recipe.model_dump(mode="json"), allow_unicode=True, sort_keys=False)
    return text


def with_test(recipe: Recipe, data: str) -> Recipe:
    """The recipe with another test corpus."""
    return _validate(_override(recipe.model_dump(mode="json"), [f"data.test={data}"], data), data)


def recipe_schema() -> str:
    """The JSON schema of a recipe, for editors."""
    schema = Recipe.model_json_schema(mode="validation")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return json.dumps(schema, indent=2, ensure_ascii=False)


def _as_mapping(value: Any, where: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ConfigError(f"{where}: expected sections such as 'model:', found {type(value).__name__}")
    return value


def _validate(values: dict[str, Any], where: str) -> Recipe:
    try:
        return Recipe.model_validate(values)
    except ValidationError as error:
        raise config_error(error, Recipe, where) from None


def _override(values: dict[str, Any], overrides: Sequence[str], where: str) -> dict[str, Any]:
    """Set `a.b=c` in the recipe as it is written, so that a section keeps what it said."""
    if not overrides:
        return values
    recipe = _validate(values, where)
    written, resolved = recipe.model_dump(exclude_unset=True), recipe.model_dump()
    for override in overrides:
        path, equals, value = override.partition("=")
        if not equals or not all(path.split(".")):
            raise ConfigError(f"--set {override}: expected a.b=value, such as model.dropout=0.2")
        _assign(written, resolved, path.split("."), parse_yaml(value, f"--set {path}"))
    return written


def _assign(written: dict[str, Any], resolved: Any, path: list[str], value: Any) -> None:
    for name in path[:-1]:
        resolved = resolved.get(name) if isinstance(resolved, dict) else None
        if not isinstance(written.get(name), dict):
            written[name] = dict(resolved) if isinstance(resolved, dict) else {}
        written = written[name]
    written[path[-1]] = value
