"""Mistakes in a command line, each in one line; the parser itself takes four."""

import re
import sys
from typing import Any, cast

import typer

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
FLAGS: dict[str, tuple[str, ...]] = {
    name: here
    for here, names in {
        ("--set training.epochs=N",): "--epochs --max-epochs --num-epochs --num-train-epochs",
        ("--set training.optimizer.learning_rate=NUMBER",): "--lr --learning-rate",
        ("--batch-size", "--batch-tokens", "--set training.batch_tokens=N"): "--batch-size --batch --bsz",
        ("--set training.minutes=N",): "--minutes --max-time",
        ("--set model.dropout=NUMBER",): "--dropout",
        ("--set text.vocabulary_size=N",): "--vocab-size --vocabulary-size",
        ("--set data.train=FILE",): "--train --train-file --train-data --trainpref",
        ("--set NAME=VALUE",): "--settings --setting --override",
        ("--beam-size",): "--beam --beams --num-beams --beam-width",
        ("--n-best",): "--top --top-n --nbest --count --num-return-sequences",
        ("--label",): "--gold --score --labels --tags",
        ("--text", "INPUT"): "--first --text --sentence1",
        ("--second",): "--sentence2 --text-pair",
        ("--text", "--column"): "--columns",
        ("--column",): "--field",
        ("--source",): "--src --src-lang --source-lang",
        ("--target",): "--tgt --trg --tgt-lang --target-lang",
        ("--from",): "--start --init --init-from --pretrained --checkpoint",
        ("--out FOLDER (the same command resumes by itself)",): "--resume --continue --resume-from",
        ("--out",): "--output --output-dir --out-dir --save-dir --outdir --save",
        ("RECIPE",): "--recipe --config",
        ("MODEL", "--from"): "--model --model-path --model-name-or-path",
        ("INPUT",): "--input --file --sentence",
        ("DATA", "--data"): "--data --dataset --corpus --test",
        ("--device cuda",): "--gpu --cuda --use-cuda",
        ("--device cpu",): "--cpu --no-cuda",
        ("--threads",): "--num-threads --jobs --workers --num-workers",
        ("--json",): "--format --output-format",
        ("--quiet",): "--silent",
    }.items()
    for name in names.split()
}
"""A flag that a command may not have: what it has instead, the likeliest first. In capitals, an argument."""


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
        hint = _called(flag, context.command)
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


def _called(flag: str, command: Any) -> str | None:
    """What a flag that a command does not have is called there, in words; None if that is not known."""
    there = {name for parameter in command.params for name in parameter.opts if name.startswith("-")}
    arguments = {parameter.metavar for parameter in command.params if parameter.param_type_name == "argument"}
    for here in FLAGS.get(flag, ()):
        if here.split()[0] in there:
            return f"it is called {here} here"
        if here in arguments:
            return f"{here} stands without a flag here"
    return None
