"""A recipe as a file for a person: what its settings mean, why they were chosen; at length, or in brief."""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from regard.config.data import expand_short_form
from regard.config.problems import sections_in
from regard.config.recipe import Recipe

_WIDTH = 100
_COMMENT_AT = 36
_LONGEST = 118
_PLAIN = ("task", "description")
"""Settings that need no comment."""
_SENTENCE = re.compile(r"(?<=\.|\))\s+(?=[A-Z`])")
_CLAUSE = re.compile(r"; (?![^()]*\))")


def commented_yaml(recipe: Recipe, head: str, reasons: Mapping[str, str]) -> str:
    """The recipe in YAML; `reasons` says why, by the path of a setting such as `model.dropout`."""
    lines = [f"# {line}".rstrip() for line in head.splitlines()]
    return "\n".join([*lines, "", *_section(recipe, "", 0, reasons)]) + "\n"


def brief_yaml(
    recipe: Recipe, head: str, reasons: Mapping[str, str] | None = None, *, defaults: bool = True
) -> str:
    """The recipe in YAML with a short comment beside each setting: why it was chosen, or what it means.

    defaults: also write the settings that are left to their defaults and have no reason
    """
    lines = [f"# {line}".rstrip() for line in head.splitlines()]
    return "\n".join([*lines, "", *_Brief(reasons or {}, defaults).lines(recipe, "", ("task",))]) + "\n"


class _Brief:
    """A recipe with short comments."""

    def __init__(self, reasons: Mapping[str, str], defaults: bool) -> None:
        self._reasons, self._defaults = reasons, defaults

    def lines(self, section: BaseModel, path: str, needed: tuple[str, ...]) -> list[str]:
        lines: list[str] = []
        indent = "  " * (path.count(".") + 1 if path else 0)
        for name in self._written(section, path, needed):
            field, value, own = type(section).model_fields[name], getattr(section, name), _below(path, name)
            if not isinstance(value, BaseModel) or path == "data":
                lines += _beside(f"{indent}{name}: {_written(_short(value))}", self._comments(own, field))
                continue
            # One of several classes is told by its kind.
            needs = ("kind",) if len([*sections_in(field.annotation)]) > 1 else ()
            inner = self._written(value, own, needs)
            if self._fits_a_line(value, own, inner):
                only = {one: _short(getattr(value, one)) for one in inner}
                told = self._comments(own, field)
                if len(inner) == 1:
                    told = self._comments(_below(own, inner[0]), type(value).model_fields[inner[0]])
                lines += _beside(f"{indent}{name}: {_written(only)}", told)
            else:
                lines += _beside(f"{indent}{name}:", self._comments(own, field))
                lines += self.lines(value, own, needs)
        return lines

    def _written(self, section: BaseModel, path: str, needed: tuple[str, ...]) -> list[str]:
        """The settings that are written: what is not left to its default, is needed, or has a reason."""

        def is_written(name: str) -> bool:
            default = type(section).model_fields[name].get_default(call_default_factory=True)
            own = _below(path, name)
            has_reason = any(f"{given}.".startswith(f"{own}.") for given in self._reasons)
            return self._defaults or has_reason or name in needed or getattr(section, name) != default

        return [name for name in _names(section) if is_written(name)]

    def _fits_a_line(self, section: BaseModel, path: str, names: Sequence[str]) -> bool:
        """Whether a section is short, and its settings need no comments of their own."""
        plain = not any(isinstance(getattr(section, name), BaseModel) for name in names)
        told = any(_below(path, name) in self._reasons for name in names)
        return not self._defaults and plain and (len(names) <= 1 or not told)

    def _comments(self, own: str, field: FieldInfo) -> list[str]:
        if own in self._reasons:
            return [self._reasons[own]]
        return [] if own in _PLAIN else [*_meanings(field)]


def _below(path: str, name: str) -> str:
    return f"{path}.{name}".lstrip(".")


def _meanings(field: FieldInfo) -> Iterator[str]:
    """What is said of a setting, in fewer and fewer words: choices are kept longest."""
    meaning = " ".join((field.description or "").split())
    sentence = _SENTENCE.split(meaning, maxsplit=1)[0].removesuffix(".")
    choices = [str(choice) for choice in get_args(field.annotation)] if _is_choice(field) else []
    if len(choices) > 1:
        listed = " | ".join(choices)
        yield from ([f"{listed}: {sentence}"] if sentence else [])
        yield listed
    elif sentence:
        yield sentence
        yield _CLAUSE.split(sentence, maxsplit=1)[0]


def _is_choice(field: FieldInfo) -> bool:
    return get_origin(field.annotation) is Literal


def _beside(line: str, comments: Sequence[str]) -> list[str]:
    """A setting with the first comment that fits after it; the last stands before it if none does."""
    for comment in comments:
        whole = f"{line:<{_COMMENT_AT}}  # {comment}"
        if len(whole) <= _LONGEST:
            return [whole]
    indent = line[: len(line) - len(line.lstrip())]
    above = textwrap.wrap(comments[-1], _WIDTH - len(indent)) if comments else []
    return [*(f"{indent}# {part}" for part in above), line]


def _short(value: Any) -> Any:
    """A corpus in its short form, if it has one; else only what was said of it."""
    said = _said(value)
    if not isinstance(value, BaseModel) or not isinstance(said, dict) or said.keys() != {"kind", "path"}:
        return said
    try:
        return said["path"] if expand_short_form(said["path"]) == said else said
    except ValueError:  # the end of its name says nothing
        return said


def _section(section: BaseModel, path: str, depth: int, reasons: Mapping[str, str]) -> list[str]:
    lines: list[str] = []
    for name in _names(section):
        value, own = getattr(section, name), f"{path}.{name}".lstrip(".")
        lines += _comments(type(section).model_fields[name].description, reasons.get(own), depth)
        if isinstance(value, BaseModel) and path == "data":  # a corpus: only what was said of it
            lines.append(f"{'  ' * depth}{name}: {_written(_said(value))}")
        elif isinstance(value, BaseModel):
            lines += [f"{'  ' * depth}{name}:", *_section(value, own, depth + 1, reasons)]
        else:
            lines.append(f"{'  ' * depth}{name}: {_written(value)}")
    return lines


def _names(section: BaseModel) -> list[str]:
    """The settings, the kind first: it says what the others are about."""
    return sorted(type(section).model_fields, key=lambda name: name != "kind")


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
        for name in _names(value)
        if name == "kind" or getattr(value, name) != fields[name].get_default(call_default_factory=True)
    }


def _written(value: Any) -> str:
    """A value on one line."""
    plain = list(value) if isinstance(value, tuple) else value
    text: str = yaml.safe_dump(
        plain, sort_keys=False, allow_unicode=True, default_flow_style=True, width=10**9
    )
    return text.strip().removesuffix("\n...").strip()
