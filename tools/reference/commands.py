"""The page of commands, read from the command line itself."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import typer

from reference.markdown import fenced, prose, table
from regard.cli.main import app

HEAD = """# Commands

Results go to stdout, everything else to stderr. A mistake in what you give is one line and exit code 2.
This page is made from `regard --help` and the help of each command.
"""
_EXAMPLES = re.compile(r"^Examples:\s*$", re.MULTILINE)


def commands_page() -> str:
    """Every command: how it is called, its arguments, its options, examples."""
    root = typer.main.get_command(app)
    context = typer.Context(root, info_name="regard")
    return "\n\n".join([HEAD.strip(), *_options(root, context), *_subcommands(root, context, depth=2)]) + "\n"


def _subcommands(command: Any, context: typer.Context, *, depth: int) -> Iterator[str]:
    for name, child in getattr(command, "commands", {}).items():
        if child.hidden:
            continue
        inner = typer.Context(child, info_name=name, parent=context)
        text, *examples = _EXAMPLES.split(child.help or "", maxsplit=1)
        yield f"{'#' * depth} {inner.command_path}"
        yield from map(prose, text.strip().split("\n\n"))
        yield fenced(child.get_usage(inner).removeprefix("Usage: "), "text")
        yield from _options(child, inner)
        if examples:
            yield "Examples:"
            yield fenced(_lines(examples[0]), "sh")
        yield from _subcommands(child, inner, depth=depth + 1)


def _lines(examples: str) -> str:
    """The examples of a help text, which stand apart there so that a terminal does not join them."""
    return "\n".join(line.strip() for line in examples.splitlines() if line.strip())


def _options(command: Any, context: typer.Context) -> Iterator[str]:
    """A table of the arguments, and one of the options, without --help."""
    for kind in ("argument", "option"):
        rows = _rows([param for param in command.params if param.param_type_name == kind], context)
        if rows:
            yield table([kind, "meaning"], rows)


def _rows(params: Sequence[Any], context: typer.Context) -> list[list[str]]:
    records = (param.get_help_record(context) for param in params if not getattr(param, "hidden", False))
    return [[f"`{name}`", prose(meaning)] for name, meaning in filter(None, records)]
