"""Mistakes in a command line, each in one line; the parser itself takes four."""

import re
import sys
from typing import Any, cast

import typer

from regard.cli.elsewhere import called

MISTAKE = cast(
    "type[Exception]",
    next(cls for cls in typer.BadParameter.__mro__ if cls.__name__ == "ClickException"),
)
"""What the parser raises; which package it is of depends on the version of typer."""
_WORDS = (
    (r"\.? \(?(?:Possible options: |Did you mean )([^)?]*)[)?]$", r"; did you mean \1?"),
    ("Value error, |, unable to parse.*", ""),
    (": Input should be", ": it should be"),
    (r"^Got unexpected extra arguments?(?:\(s\))? \((.*)\)$", r"found more arguments than expected: \1"),
)
"""Its words, and those that regard has for them."""


def tell_mistake(error: Any) -> int:
    """Say on stderr what is wrong with a command line, and what to do; the exit code.

    A command without anything, of those that need something, is told its help.
    """
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
    else:
        print(f"regard: {mistake_line(error)}", file=sys.stderr)
    return int(error.exit_code)


def mistake_line(error: Any) -> str:
    """What was expected and found; and where to read more."""
    message = " ".join(error.format_message().split()).removesuffix(".")
    for written, better in _WORDS:
        message = re.sub(written, better, message)
    message = message[:1].lower() + message[1:]
    context = getattr(error, "ctx", None)
    flag = getattr(error, "option_name", None)
    if context is not None and flag and message.startswith("no such option"):
        hint = called(flag, context.command)
        message = f"no such option: {flag}; {hint}" if hint else message
    end = "" if message.endswith("?") else ";"
    if context is None:  # the parser had not come to a command yet
        return f"{message}{end} regard -h lists the commands"
    if "argument" in message:
        usage = " ".join(context.get_usage().split()).partition(": ")[2]
        has_data = any("--data" in parameter.opts for parameter in context.command.params)
        data = "; a corpus is named with --data" if has_data and message.startswith("found more") else ""
        return f"{message}; expected {usage}{data}; {context.command_path} -h tells more"
    return f"{message}{end} {context.command_path} -h lists what there is"
