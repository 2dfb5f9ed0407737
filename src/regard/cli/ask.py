"""Questions to a person; where there is none, what is missing is named instead."""

import sys
from collections.abc import Callable

import typer

from regard.errors import ConfigError


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
