"""The command line: thin doors to `regard.api`; a mistake in it is told in one line.

Nothing here imports torch: a command imports what it needs when it runs, so that help is quick, and a mistake
is told at once.
"""

import importlib
import os
import re
import signal
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from regard.cli.preflight import check_early, plugins_first
from regard.errors import RegardError, StoppedError
from regard.plugins import VARIABLE, in_a_plugin, load_plugins
from regard.version import __version__

# After the name of an argument, typer writes its Python type; the name says what is meant.
typer.core.TyperArgument.display_type_rich = lambda *_, **__: ""  # type: ignore[method-assign]

GROUPS = {
    "Train": {
        "demo": "Train a small Korean→English model, translate with it, and draw its attention.",
        "recipes": "List the recipes that ship with regard and the task of each, or print one.",
        "new": "Write a recipe for your own files: look at them, choose sizes, try a few steps.",
        "train": "Train the model that a recipe describes.",
        "runs": "Compare training runs: how each stands, its best scores, its settings and curves.",
    },
    "Run": {
        "translate": "Translate a text, a line at a time.",
        "complete": "Complete a prompt, a line at a time.",
        "classify": "Print the label of each line and its probability, tab separated.",
        "tag": "Print each word and its tag, tab separated, and an empty line after each sentence.",
        "answer": "Find the answer to a question in a text: its words, and how probable they are.",
        "fill": "Predict the words under [MASK], with their probabilities and what the model attends to.",
        "predict": "Print the prediction of a model of any task for each line, also of a task of your own.",
        "embed": "Print a vector for each line as JSON, or write them into a file; or search.",
        "similarity": "Print how similar two sentences are, pair by pair; or the correlation with a column.",
        "serve": "Serve models over HTTP, to clients that speak one of the protocols that regard knows.",
    },
    "Evaluate": {
        "evaluate": "Run a model on a test set and score its predictions.",
        "compare": "Score systems on one test set, and say how sure their differences are.",
        "baseline": "Fit TF-IDF and logistic regression to the training rows, and score it on the test rows.",
        "score": "Print the log-probability of each translation, or of each text, under a model.",
        "align": "Align the words of sentences and their translations by the attention of a model.",
        "reproduce": "Run a paper's experiment again, and say which of its findings are confirmed.",
    },
    "Look inside": {
        "look": "Show what a model predicts for a sentence, and what it attends to.",
        "causes": "Rank the input words that an output depends on, by measured effect, beside attention.",
        "check": "Measure the attention of a model, and test whether it is an explanation.",
    },
    "Data": {
        "data": "List corpora, show rows, write them to files, see the cache.",
        "doctor": "Say what is wrong with a corpus before hours are spent on it, and write a clean copy.",
        "vectors": "Train word vectors on text, and find nearest neighbours.",
    },
    "Models": {
        "average": "Average the weights of several models of one recipe and vocabulary.",
        "import": "Check and copy a model of transformers, sentence-transformers or Marian, for good.",
        "export": "Write a model in the layout of transformers, sentence-transformers or Marian.",
    },
}
"""Every command in its group, in the order of the help, with the sentence that its own help begins with."""
_TOGETHER = {
    "generate": ("translate", "complete"),
    "predict": ("classify", "tag", "answer", "fill", "predict"),
    "embed": ("embed", "similarity"),
    "models": ("average", "export"),
}
_HOMES = {name: f"{module}.{name}" for module, names in _TOGETHER.items() for name in names}
_HOMES |= {"data": "data.app", "vectors": "vectors.app", "import": "models.import_"}
COMMANDS = {name: _HOMES.get(name, f"{name}.{name}") for group in GROUPS.values() for name in group}
"""Where in `regard.cli` each command is: a module of its own name has most."""


class _Commands(Mapping[str, Any]):
    """Commands by name; each is imported and made when it is asked for, so that the others cost nothing."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = _make(name, COMMANDS[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


def _make(name: str, home: str) -> Any:
    module, _, attribute = home.partition(".")
    found = getattr(importlib.import_module(f"regard.cli.{module}"), attribute)
    holder = typer.Typer(rich_markup_mode=None)
    if isinstance(found, typer.Typer):
        holder.add_typer(found, name=name)
    else:
        holder.command(name)(found)
    command: Any = typer.main.get_group(holder).commands[name]
    _check_first(command, name)
    return command


def _check_first(command: Any, path: str) -> None:
    """Let a command, or each of a group, check what it was given before it imports what it needs."""
    for name, inner in getattr(command, "commands", {}).items():
        _check_first(inner, f"{path} {name}")
    run_it = command.callback
    if run_it is None:
        return

    def checked(**given: Any) -> Any:
        check_early(path, given)
        return run_it(**given)

    command.callback = checked


class _Root(typer.core.TyperGroup):
    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = _Commands()

    def list_commands(self, ctx: Any) -> list[str]:
        del ctx
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Whole sentences, in groups; no command is imported for them."""
        del ctx
        width = max(map(len, COMMANDS))
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), sentence) for name, sentence in group.items()])


app = typer.Typer(
    name="regard",
    cls=_Root,
    help="Train, run and look inside attention models for language.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with: regard demo",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"regard {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
    ),
    plugin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="A Python file or module that gives parts of your own to regard.register, anywhere on the "
            "line; may be repeated.",
        ),
    ] = None,
) -> None:
    del version
    if plugin or os.environ.get(VARIABLE):
        load_plugins(plugin or [])


def run() -> None:
    """Run a command; a user's mistake is one line on stderr and exit code 2, never a traceback."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started this
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, nowhere)
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # a text file, here
    sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]  # odd paths
    signal.signal(signal.SIGINT, _leave_quietly)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` has seen enough: end as other filters do
    try:
        sys.exit(app(plugins_first(sys.argv[1:]), prog_name="regard", standalone_mode=False))
    except MISTAKE as mistake:
        sys.exit(tell_mistake(mistake))
    except typer.Abort:
        sys.exit(1)
    except StoppedError as stopped:
        print(f"regard: {stopped}", file=sys.stderr)
        sys.exit(stopped.exit_code)
    except RegardError as error:
        print(f"regard: {error}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:  # a path that is too long, a folder that may not be looked into
        print(f"regard: {error.filename or 'standard output'}: {error.strerror}", file=sys.stderr)
        sys.exit(2)
    except Exception as error:
        told = in_a_plugin(error)
        if told is None:  # a mistake of regard's own: all of it is shown
            raise
        print(f"regard: {told}", file=sys.stderr)
        sys.exit(2)
    finally:
        # The work is done. While Python takes itself apart it gives signals back to the system, and a
        # Ctrl-C just then would kill a command that has succeeded.
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _leave_quietly(*_: object) -> None:
    """Ctrl-C: no traceback, and the exit code that shells know."""
    sys.exit(130)


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
