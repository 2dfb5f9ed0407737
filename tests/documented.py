"""The commands that the docs show: what stands in their blocks of shell, and in the help of each command."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from regard.cli.main import app
from regard.cli.preflight import plugins_first

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "README.ko.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "bench" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
_BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SHELL = ("sh", "bash", "shell", "console")
_ASSIGNMENT = re.compile(r"(\w+)=(.*)", re.DOTALL)
_OPERATORS = set("|&;<>()")
GROUP = typer.main.get_command(app)


@dataclass(frozen=True)
class Documented:
    """A `regard` command as it is written somewhere."""

    page: str
    line: str
    arguments: tuple[str, ...]
    given: str
    """The command whose output it reads on stdin; nothing where there is none."""
    into: str
    """The file that its output goes to, likewise."""


def commands_of(page: Path) -> list[Documented]:
    """The commands in the blocks of shell of a page; in a block of another kind, those after a `$`."""
    text = page.read_text(encoding="utf-8")
    found: list[Documented] = []
    for language, block in _BLOCK.findall(text):
        lines = _logical_lines(block)
        if language not in _SHELL:
            lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        named: dict[str, str] = {}
        for line in lines:
            found += _commands(line.removeprefix("$ "), page.name, named)
    return found


def examples_of(command: Any, name: str) -> list[Documented]:
    """The examples in the help of a command."""
    _, _, examples = (command.help or "").partition("Examples:")
    lines = [line.strip() for line in examples.splitlines() if line.strip()]
    return [found for line in lines for found in _commands(line, f"regard {name} -h", {})]


def _logical_lines(block: str) -> list[str]:
    """The lines of a block, those that a backslash carries on put together."""
    return [line.strip() for line in re.sub(r"\\\n\s*", " ", block).splitlines()]


def _commands(line: str, page: str, named: dict[str, str]) -> Iterator[Documented]:
    """The `regard` commands of a line of shell; what it assigns is kept for the lines after it."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    words: list[str] = []
    before: list[str] = []
    for word in [*lexer, ";"]:
        if not (word and set(word) <= _OPERATORS):
            words.append(_expanded(word, named))
            continue
        if word[0] in "<>":
            words.append(word)  # and the file that follows
            continue
        simple, into = _without_redirections(words)
        while simple and (found := _ASSIGNMENT.fullmatch(simple[0])):
            named[found[1]] = found[2]
            simple = simple[1:]
        if simple[:1] == ["regard"]:
            yield Documented(page, line, tuple(simple[1:]), shlex.join(before), into)
        before, words = (simple if word == "|" else []), []


def _expanded(word: str, named: dict[str, str]) -> str:
    return named.get(word[1:], word) if word.startswith("$") else word


def _without_redirections(words: list[str]) -> tuple[list[str], str]:
    """The words of a command, and the file that its output goes to."""
    kept: list[str] = []
    into, sign = "", ""
    for word in words:
        if sign:
            into, sign = (word if sign == ">" else into), ""
        elif word and set(word) <= _OPERATORS:
            sign = word
        else:
            kept.append(word)
    return kept, into


def parse(arguments: tuple[str, ...]) -> None:
    """Let the real command line read the arguments, and do nothing; what it refuses is raised."""
    try:
        context = GROUP.make_context("regard", plugins_first(list(arguments)))
    except typer.Exit:  # --version has been told
        return
    while rest := [*getattr(context, "_protected_args", ()), *context.args]:
        command: Any = context.command
        if not hasattr(command, "resolve_command"):
            raise AssertionError(f"left over: {rest}")
        name, inner, rest = command.resolve_command(context, rest)
        context = inner.make_context(name, rest, parent=context)
