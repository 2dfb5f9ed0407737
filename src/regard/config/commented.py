"""A recipe as a file for a person: every setting with what it means, and why it was chosen."""

import textwrap
from collections.abc import Mapping
from typing import Any

import yaml
from pydantic import BaseModel

from regard.config.recipe import Recipe

_WIDTH = 100


def commented_yaml(recipe: Recipe, head: str, reasons: Mapping[str, str]) -> str:
    """The recipe in YAML; `reasons` says why, by the path of a setting such as `model.dropout`."""
    lines = [f"# {line}".rstrip() for line in head.splitlines()]
    return "\n".join([*lines, "", *_section(recipe, "", 0, reasons)]) + "\n"


def _section(section: BaseModel, path: str, depth: int, reasons: Mapping[str, str]) -> list[str]:
    lines: list[str] = []
    # The kind first: it says what the other settings are about.
    names = sorted(type(section).model_fields, key=lambda name: name != "kind")
    for name in names:
        value, own = getattr(section, name), f"{path}.{name}".lstrip(".")
        lines += _comments(type(section).model_fields[name].description, reasons.get(own), depth)
        if isinstance(value, BaseModel) and path == "data":  # a corpus: only what was said of it
            lines.append(f"{'  ' * depth}{name}: {_written(_said(value))}")
        elif isinstance(value, BaseModel):
            lines += [f"{'  ' * depth}{name}:", *_section(value, own, depth + 1, reasons)]
        else:
            lines.append(f"{'  ' * depth}{name}: {_written(value)}")
    return lines


def _comments(meaning: str | None, reason: str | None, depth: int) -> list[str]:
    lines: list[str] = []
    for text in (meaning, reason and f"Here: {reason}"):
        if text:
            lines += textwrap.wrap(" ".join(text.split()), _WIDTH - 2 * depth)
    return [f"{'  ' * depth}# {line}" for line in lines]


def _said(value: Any) -> Any:
    """A section as a plain value, without the settings that are left to their defaults; its kind stays."""
    if isinstance(value, tuple):
        return [_said(entry) for entry in value]
    if not isinstance(value, BaseModel):
        return value
    fields = type(value).model_fields
    return {
        name: _said(getattr(value, name))
        for name, field in fields.items()
        if name == "kind" or getattr(value, name) != field.get_default(call_default_factory=True)
    }


def _written(value: Any) -> str:
    """A value on one line."""
    plain = list(value) if isinstance(value, tuple) else value
    text: str = yaml.safe_dump(
        plain, sort_keys=False, allow_unicode=True, default_flow_style=True, width=10**9
    )
    return text.strip().removesuffix("\n...").strip()
