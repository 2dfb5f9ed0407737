"""What `regard new` makes of the columns of somebody's data: the task, and what each column is for it."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from shlex import quote
from typing import TYPE_CHECKING

import typer

from regard.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from regard.config.data import OneCorpus
    from regard.config.recipe import Recipe
    from regard.data.pairs import Pair
    from regard.data.schema import Schema
    from regard.doctor.guess import Layout


_ASKED = {
    "source": "Translate from which column",
    "target": "Translate into which column",
    "question": "Which column has the questions",
    "text": "Which column is read",
    "second": "Which column is the other text",
    "label": "Which column is the label",
    "answer": "Which column has the answers",
}
DOCTOR = ("source", "target", "text", "second", "label")
"""Flags of `new` that `doctor` has, too."""
_CALLED = {"text": ("context", "passage"), "answer": ("answers",), "second": ("sentence2",)}
"""What columns are often called, beside the name that recipes have for them."""


@dataclass(frozen=True)
class Wanted:
    """What a recipe is to be for, and the columns that it names."""

    task: str
    named: dict[str, str]
    """Columns, and what else was given, by the flags of `new`."""
    settings: list[tuple[str, str | None]]
    """The same, as settings of a recipe."""
    sides: tuple[str, ...]
    """The columns of text."""
    schema: "Callable[[OneCorpus], Schema[Pair]]"
    """How a corpus is read."""
    is_said: bool
    """Whether the task was given, and not recognised."""

    @property
    def told(self) -> str:
        """What the model will do, in words."""
        if self.task == "translation":
            return " to ".join(self.sides)
        said = {"classification": "label", "tagging": "label", "question-answering": "answer"}.get(self.task)
        return f"{self.named[said] if said else self.task} of {' and '.join(self.sides)}"

    def flags(self, *, doctor: bool = False) -> str:
        """The flags of `new`, or of `doctor`, that say the same."""
        said = {name: value for name, value in self.named.items() if not doctor or name in DOCTOR}
        if not doctor and self.is_said:
            said["task"] = self.task
        if self.task == "classification" and said.get("answer") == "label":
            del said["answer"]
        return " ".join(f"--{name} {quote(value)}" for name, value in said.items())


def wanted_of(
    data: str, columns: tuple[str, ...], given: dict[str, str], *, task: str = "", recipe: str = ""
) -> Wanted:
    """The task that is given, or that the data shows, and its columns; what is missing is asked.

    given: what was said, by the flags of `new`
    """
    from regard.config.catalogue import RECIPES
    from regard.config.load import load_recipe
    from regard.errors import ConfigError, did_you_mean
    from regard.tasks.catalogue import TASKS

    offered = [name for name, one in TASKS.items() if one.starter]
    if task and task not in offered:
        raise ConfigError(f"--task: unknown value '{task}'; {did_you_mean(task, offered)}")
    translates = {"source", "target"} & given.keys()
    if translates and {*given} - translates:
        raise ConfigError("--source and --target are for translation, --text and --label for a classifier")
    layout = None if translates else _layout(data, columns)
    chosen = task or _recognised(data, columns, given, layout)
    entry = TASKS[chosen]
    known = [name for name in _ASKED if name in (*entry.columns, *entry.optional)]
    if other := next((name for name in given if name not in known), None):
        flags = ", ".join(f"--{name}" for name in known)
        raise ConfigError(f"--{other} is not for {chosen}, which has {flags}")
    start = load_recipe(recipe or entry.starter, kind=RECIPES[chosen])  # before anything is cut or read
    names, check = f" ({', '.join(columns)})" if columns else "", _one_of(columns)
    guesses = _guesses(chosen, columns, layout, start)
    named = {}
    for name in known:
        if name in entry.columns:
            question = f"{_ASKED[name]}{names}"
            default = guesses.get(name, "")
            named[name] = ask(given.get(name, ""), f"--{name}", question, default=default, check=check)
        elif name in given:
            named[name] = given[name]
    held = dict(named)
    if chosen == "classification":
        named["answer"] = held.pop("answer", "label")
        if named["answer"] not in ("label", "labels", "number"):
            raise ConfigError(f"--answer: expected label, labels or number, found '{named['answer']}'")
    _check_columns(held, check)
    settings: list[tuple[str, str | None]] = [
        (f"data.{entry.optional.get(name, name)}", value) for name, value in named.items()
    ]
    if columns and getattr(start.data, "start", None) not in columns and chosen == "question-answering":
        settings.append(("data.start", None))
    read = load_recipe(recipe or entry.starter, settings).data
    sides = tuple(held[name] for name in entry.texts if name in held)
    return Wanted(chosen, named, settings, sides, lambda part: entry.schema(read, part, "train"), bool(task))


def _recognised(data: str, columns: tuple[str, ...], given: dict[str, str], layout: "Layout | None") -> str:
    """The task that the columns, and what was given with them, are for; by default translation."""
    corpus = _train_corpus(data)
    if corpus is not None and corpus.kind in ("columns", "conllu"):
        return "tagging"
    if "question" in given or ("question" in columns and {"answer", "answers"} & {*columns}):
        return "question-answering"
    if given and not {"source", "target"} & given.keys():
        return "classification"
    if given or layout is None or layout.translation:
        return "translation"
    if layout.label:
        return "classification"
    if {"sentence1", "sentence2"} <= {*columns}:
        return "embedding"
    return "language-model" if len(columns) == 1 else "translation"


def _guesses(task: str, columns: tuple[str, ...], layout: "Layout | None", start: "Recipe") -> dict[str, str]:
    """The columns that are meant if nobody says others: by their names, else by what is in them."""
    sides: Sequence[str] = layout.sides if layout is not None else ()
    if task == "translation":
        return dict(zip(("source", "target"), sides, strict=False)) if layout and layout.translation else {}
    found = dict(zip(("text", "second"), sides, strict=False))
    if task == "classification":
        return {**found, "label": layout.label or ""} if layout is not None else {}
    for name in _ASKED:
        called = (getattr(start.data, name, None), name, *_CALLED.get(name, ()))
        if (column := next((one for one in called if one in columns), None)) is not None:
            found[name] = column
    return found


def _check_columns(held: dict[str, str], check: "Callable[[str], None]") -> None:
    """Refuse columns that are not there, or of which one is named twice."""
    from regard.errors import ConfigError

    for column in held.values():
        check(column)
    *first, last = (f"--{name}" for name in held)
    if len({*held.values()}) == 1 and len(first) == 1:
        raise ConfigError(f"{first[0]} and {last} are both '{held[last[2:]]}'; name two columns")
    if len({*held.values()}) < len(held):
        told = f"{', '.join(first)} and {last} name a column twice: {', '.join(held.values())}"
        raise ConfigError(told)


def _one_of(columns: tuple[str, ...]) -> "Callable[[str], None]":
    from regard.errors import ConfigError, did_you_mean

    def check(name: str) -> None:
        if columns and name not in columns:
            raise ConfigError(f"no column is called '{name}'; {did_you_mean(name, columns)}")

    return check


def _train_corpus(data: str) -> "OneCorpus | None":
    """The corpus that is learned from, or None where plain files stand side by side."""
    from regard.config.load import corpus_from_short_form
    from regard.data.folders import find_splits
    from regard.data.lines import file_path

    train = data if file_path(data).is_file() else find_splits(data).get("train")
    return corpus_from_short_form(train) if train else None


def columns_of(data: str) -> tuple[str, ...]:
    """The columns of what is learned from; none where plain files stand side by side."""
    from regard.data.readers import open_rows

    train = _train_corpus(data)
    return open_rows(train).columns if train is not None else ()


def _layout(data: str, columns: tuple[str, ...]) -> "Layout | None":
    """What the columns are, by their names and what is in them; None where that cannot be seen."""
    from itertools import islice

    from regard.data.readers import open_rows
    from regard.data.rows import Row, cell_text
    from regard.doctor.guess import Asked, lay_out
    from regard.errors import RegardError

    train = _train_corpus(data)
    if train is None:
        return None
    try:
        rows = [row.cells for row in islice(open_rows(train), 1000) if isinstance(row, Row)]
        samples = {column: [cell_text(row[place]) for row in rows] for place, column in enumerate(columns)}
        return lay_out(samples, Asked(), data)
    except RegardError:
        return None


def ask(given: str, flag: str, question: str, *, default: str = "", check: Callable[[str], None]) -> str:
    """What was given by a flag, or the answer to a question; asked again until `check` has nothing to say."""
    if given:
        check(given)
        return given
    if not sys.stdin.isatty():
        if default:
            return default
        raise ConfigError(f"{flag} is missing: {question}")
    while True:
        answer: str = typer.prompt(question, default=default or None, err=True)
        try:
            check(answer)
        except Exception as error:  # whatever is wrong with an answer, it can be given again
            typer.echo(f"  {error}", err=True)
        else:
            return answer
