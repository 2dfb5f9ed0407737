"""Turn pydantic's findings into one message in a recipe's own words."""

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from regard.errors import ConfigError, did_you_mean


def config_error(error: ValidationError, root: type[BaseModel], where: str) -> ConfigError:
    """Name every problem by its path in the recipe, with the nearest valid name."""
    problems = [_describe(problem, root) for problem in error.errors(include_url=False)]
    if len(problems) == 1:
        return ConfigError(f"{where}: {problems[0]}")
    return ConfigError("\n  ".join([f"{where}: {len(problems)} problems", *problems]))


def _describe(problem: Any, root: type[BaseModel]) -> str:
    path, classes = _resolve(problem["loc"], root)
    what = _what(problem, classes)
    return f"{path}: {what}" if path else what  # of the whole recipe, which the caller has named


def _what(problem: Any, classes: Sequence[type[BaseModel]]) -> str:
    kind, given = problem["type"], problem["input"]
    if kind == "extra_forbidden":
        names = [name for cls in classes for name in cls.model_fields]
        return f"unknown setting; {did_you_mean(str(problem['loc'][-1]), names)}"
    if kind == "missing":
        return "missing; it has no default"
    if kind == "union_tag_not_found":
        return f"which kind? add 'kind:', one of {', '.join(_kinds(classes))}"
    if kind in ("literal_error", "union_tag_invalid"):
        valid = _kinds(classes) if kind == "union_tag_invalid" else _literals(problem["ctx"]["expected"])
        found = problem["ctx"].get("tag", given)
        return f"unknown value {found!r}; {did_you_mean(str(found), valid)}"
    message = problem["msg"].removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    return message if kind == "value_error" else f"{message}, found {given!r}"


def _resolve(location: Sequence[str | int], root: type[BaseModel]) -> tuple[str, list[type[BaseModel]]]:
    """The dotted path without union tags, and the section classes in which its last name was looked up."""
    classes: list[type[BaseModel]] = [root]
    path: list[str] = []
    for depth, part in enumerate(location):
        fields = [cls.model_fields[str(part)] for cls in classes if str(part) in cls.model_fields]
        tagged = [cls for cls in classes if part in _kinds([cls])]
        is_last = depth == len(location) - 1
        if tagged and not fields:
            classes = tagged
            continue
        path.append(str(part))
        inner = [cls for field in fields for cls in _sections(field.annotation)]
        if not is_last or inner:
            classes = inner or classes
    return ".".join(path), classes


def _sections(annotation: Any) -> Iterator[type[BaseModel]]:
    """Every config class that an annotation allows, through unions and `Annotated`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _sections(argument)


def _kinds(classes: Sequence[type[BaseModel]]) -> list[str]:
    return [str(cls.model_fields["kind"].default) for cls in classes if "kind" in cls.model_fields]


def _literals(expected: str) -> list[str]:
    """Pydantic's "'a', 'b' or 'c'" as a list."""
    return [part.strip(" '") for part in expected.replace(" or ", ",").split(",")]
