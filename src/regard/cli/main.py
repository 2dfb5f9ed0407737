"""The command line: thin doors to `regard.api`.

Nothing here imports torch: a command imports what it needs when it runs, so that help is quick.
"""

import os
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from regard.cli import (
    answer,
    average,
    baseline,
    classify,
    compare,
    complete,
    data,
    demo,
    doctor,
    embed,
    evaluate,
    fill,
    look,
    moving,
    new,
    recipes,
    reproduce,
    runs,
    score,
    similarity,
    tag,
    train,
    translate,
    vectors,
)
from regard.cli.plugins import VARIABLE, load_plugins, plugins_first
from regard.cli.usage import MISTAKE, tell_mistake
from regard.errors import RegardError, StoppedError
from regard.version import __version__

# After the name of an argument, typer writes its Python type; the name says what is meant.
typer.core.TyperArgument.display_type_rich = lambda *_, **__: ""  # type: ignore[method-assign]

app = typer.Typer(
    name="regard",
    help="Train, run and look inside attention models for language.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with: regard demo",
)
app.command("demo")(demo.demo)
app.command("recipes")(recipes.recipes)
app.add_typer(data.app, name="data")
app.command("doctor")(doctor.doctor)
app.command("new")(new.new)
app.command("train")(train.train)
app.command("runs")(runs.runs)
app.command("translate")(translate.translate)
app.command("classify")(classify.classify)
app.command("tag")(tag.tag)
app.command("answer")(answer.answer)
app.command("fill")(fill.fill)
app.command("embed")(embed.embed)
app.command("complete")(complete.complete)
app.command("similarity")(similarity.similarity)
app.command("evaluate")(evaluate.evaluate)
app.command("compare")(compare.compare)
app.command("baseline")(baseline.baseline)
app.command("look")(look.look)
app.command("average")(average.average)
app.command("score")(score.score)
app.command("import")(moving.import_)
app.command("export")(moving.export)
app.command("reproduce")(reproduce.reproduce)
app.add_typer(vectors.app, name="vectors")


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
    finally:
        # The work is done. While Python takes itself apart it gives signals back to the system, and a
        # Ctrl-C just then would kill a command that has succeeded.
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _leave_quietly(*_: object) -> None:
    """Ctrl-C: no traceback, and the exit code that shells know."""
    sys.exit(130)
