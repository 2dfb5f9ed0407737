"""The page of settings, read from the schema of a recipe."""

import json
from collections.abc import Iterator
from typing import Any

from reference.markdown import prose, table
from regard.config.load import recipe_schema

Schema = dict[str, Any]

HEAD = """# Settings of a recipe

A recipe is one YAML file. What it leaves out has its default. A name that is not listed here is refused, and
the nearest one that is gets named. `--set a.b=value` changes one setting; `regard recipes --schema` prints
the JSON schema for editors. This page is made from it.
"""
_TYPES = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "names with values",
}
_BOUNDS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}


def settings_page() -> str:
    """Every section with its settings: type, bounds, default, meaning."""
    schema = json.loads(recipe_schema())
    return "\n\n".join([HEAD.strip(), *_sections(schema, schema["$defs"])]) + "\n"


def _sections(root: Schema, defined: dict[str, Schema]) -> Iterator[str]:
    """Each section once, where it is first met, from the outside to the inside."""
    recipes = {str(defined[name]["properties"]["task"]["const"]): name for name in _inner_sections(root)}
    for task, name in recipes.items():
        yield from _section(defined[name], f"## A recipe for {task} {{#{name}}}", defined)
    places = _places(recipes, defined)
    paths = [first for (first, *_), _ in places.values()]
    for name, ((first, *others), tasks) in places.items():
        depth = "###" if "." in first else "##"
        kind = _kind(defined[name])
        alike = [path for path in paths if path == first]
        of_task = f", for {tasks[0]}" if len(alike) > 1 and not kind and len(tasks) == 1 else ""
        title = f"{first}, kind: {kind}" if kind else first
        yield from _section(defined[name], f"{depth} {title}{of_task} {{#{name}}}", defined)
        if others:
            yield f"Also at {', '.join(f'`{place}`' for place in others)}."


def _places(recipes: dict[str, str], defined: dict[str, Schema]) -> dict[str, tuple[list[str], list[str]]]:
    """The paths at which each section may stand, in the order of a recipe, and the tasks that have it."""
    places: dict[str, tuple[list[str], list[str]]] = {}

    def walk(section: Schema, path: str, task: str) -> None:
        for name, setting in section["properties"].items():
            own = f"{path}.{name}".lstrip(".")
            for inner in _inner_sections(setting):
                paths, tasks = places.setdefault(inner, ([], []))
                known = own in paths and task in tasks
                if own not in paths:
                    paths.append(own)
                if task not in tasks:
                    tasks.append(task)
                if not known:
                    walk(defined[inner], own, task)

    for task, name in recipes.items():
        walk(defined[name], "", task)
    return places


def _section(section: Schema, heading: str, defined: dict[str, Schema]) -> Iterator[str]:
    yield heading
    yield prose(section.get("description", ""))
    required = section.get("required", [])
    rows = [
        [
            f"`{name}`",
            _type(setting, defined),
            "needed" if name in required else _default(setting),
            prose(_meaning(setting, defined)),
        ]
        for name, setting in sorted(section["properties"].items(), key=lambda entry: entry[0] != "kind")
    ]
    yield table(["setting", "what it may be", "default", "meaning"], rows)


def _kind(section: Schema) -> str | None:
    """What tells a section from the others that may stand in its place."""
    kind: str | None = section["properties"].get("kind", {}).get("const")
    return kind


def _meaning(setting: Schema, defined: dict[str, Schema]) -> str:
    """A section that says nothing of its own where it is used means what it always means."""
    if text := setting.get("description"):
        return str(text)
    return str(defined[_name(setting)].get("description", "")) if "$ref" in setting else ""


def _inner_sections(setting: Schema) -> Iterator[str]:
    if "$ref" in setting:
        yield _name(setting)
    for choice in [*setting.get("anyOf", []), *setting.get("oneOf", [])]:
        yield from _inner_sections(choice)
    if isinstance(setting.get("items"), dict):
        yield from _inner_sections(setting["items"])


def _name(reference: Schema) -> str:
    return str(reference["$ref"]).rpartition("/")[2]


def _type(setting: Schema, defined: dict[str, Schema]) -> str:
    """What may be written, in words, with the bounds; a section is a link to it."""
    if "$ref" in setting:
        return _link(setting, defined, before_kind="kind: ")
    if choices := setting.get("anyOf") or setting.get("oneOf"):
        return _choices(choices, defined)
    if "const" in setting:
        return f"`{setting['const']}`"
    if "enum" in setting:
        return _or([f"`{value}`" for value in setting["enum"]])
    if setting.get("type") == "array":
        return _array(setting, defined)
    if setting.get("type") == "null":
        return "`null`"
    bounds = [f"{sign} {_number(setting[key])}" for key, sign in _BOUNDS.items() if key in setting]
    if setting.get("minLength") == setting.get("maxLength") == 1:
        return "one character"
    return " ".join([_TYPES[setting["type"]], ", ".join(bounds)]).strip()


def _link(reference: Schema, defined: dict[str, Schema], *, before_kind: str = "") -> str:
    kind = _kind(defined[_name(reference)])
    return f"[{f'`{before_kind}{kind}`' if kind else 'a section'}](#{_name(reference)})"


def _choices(choices: list[Schema], defined: dict[str, Schema]) -> str:
    """One of several: values first, then sections, of which only the kinds are named."""
    plain = [_type(choice, defined) for choice in choices if "$ref" not in choice]
    sections = [_link(choice, defined) for choice in choices if "$ref" in choice]
    if len(sections) > 1:
        sections = [f"a section of the kind {_or(sections)}"]
    return _or([*plain, *sections])


def _array(setting: Schema, defined: dict[str, Schema]) -> str:
    if "prefixItems" in setting:
        return f"a list of {len(setting['prefixItems'])}: " + ", ".join(
            _type(entry, defined) for entry in setting["prefixItems"]
        )
    items = setting.get("items")
    return f"a list of {_type(items, defined)}" if items else "a list"


def _or(choices: list[str]) -> str:
    return choices[0] if len(choices) == 1 else f"{', '.join(choices[:-1])} or {choices[-1]}"


def _number(value: float) -> str:
    """A large power of two as one, as its author thought of it."""
    if isinstance(value, int) and value >= 2**16 and value & (value - 1) == 0:
        return f"2^{value.bit_length() - 1}"
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _default(setting: Schema) -> str:
    value = setting.get("default")
    if isinstance(value, dict):
        return f"`kind: {value['kind']}`" if "kind" in value else "its own defaults"
    return f"`{json.dumps(value, ensure_ascii=False)}`"
