"""What the commands that evaluate have in common: options, tables, files."""

import gzip
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import typer

from regard.cli.options import BeamSize, expanded, option, parameters_of
from regard.cli.tables import print_table
from regard.metrics.metric import METRICS, metric_named

if TYPE_CHECKING:
    from regard.config.catalogue import TaskName
    from regard.evaluation.result import Evaluation

By = Annotated[
    list[str] | None,
    option("COLUMN", "Also score each value of this column, such as source or constructions; repeatable."),
]
Samples = Annotated[
    int, option("N", "Resampled test sets for the intervals; 0 is none.", least=0, most=100_000)
]
_COLUMNS = {
    "source": "The column to translate; by default as in the recipe, or ko.",
    "target": "The column of the reference; by default as in the recipe, or en.",
    "text": "Without a translation: the column of the text; by default as in the recipe.",
    "second": "Of pairs: the column of the second text, likewise.",
    "label": "The column of the label, of the tags, or, of a sentence encoder, of the score, likewise.",
    "answer": "Of a classifier's outputs in files: label (the default), labels or number. Of questions: the "
    "column of the answers.",
    "question": "Of questions: their column; by default as in the recipe.",
}
_OPTIONS: dict[str, tuple[Any, Any]] = {
    "references": (
        Annotated[
            str,
            option(
                "COLUMN,COLUMN",
                "The columns of the references, separated by commas, where there are several.",
            ),
        ],
        "",
    ),
    **{name: (Annotated[str, option("COLUMN", text)], "") for name, text in _COLUMNS.items()},
    "beam_size": (BeamSize, None),
}
"""The options of `EvaluationOptions`, with their defaults."""
TaskOfOutputs = Annotated[
    str,
    option(
        "TASK",
        "What files of outputs are of: translation (the default), classification, tagging, "
        "question-answering, language-model or embedding.",
        "--task",
    ),
]
Metrics = Annotated[
    str | None,
    option(
        "NAME,NAME",
        f"Some of the task's, separated by commas, by default all (ter is by far the slowest): "
        f"{', '.join(METRICS)}.",
    ),
]


def with_options(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command, which takes `options: EvaluationOptions`, these options, or all, in its place."""

    def made(values: dict[str, Any]) -> dict[str, Any]:
        references = {"references": listed(values["references"])} if "references" in values else {}
        return {**values, **references}

    chosen = {name: option for name, option in _OPTIONS.items() if name in names or not names}
    return lambda command: expanded(command, {"options": (parameters_of(chosen), made)})


class Choices(TypedDict):
    """What `evaluate` and `compare` are asked for alike."""

    by: Sequence[str]
    metrics: Sequence[str] | None
    task: "TaskName | None"
    samples: int
    seed: int


def choices(by: list[str] | None, metrics: str | None, task: str, samples: int, seed: int | None) -> Choices:
    """The options of a command as arguments of the library."""
    from regard.metrics.bootstrap import SEED

    return {
        "by": by or (),
        "metrics": chosen_metrics(metrics),
        "task": chosen_task(task),
        "samples": samples,
        "seed": SEED if seed is None else seed,
    }


def chosen_metrics(written: str | None) -> list[str] | None:
    """The metrics that are named; None stands for all of the task's."""
    return None if written is None else listed(written)


def chosen_task(written: str) -> "TaskName | None":
    """The task that is named; None where none is."""
    from typing import cast

    from regard.config.catalogue import RECIPES
    from regard.errors import ConfigError, did_you_mean

    if written and written not in RECIPES:
        raise ConfigError(f"--task {written}: unknown; {did_you_mean(written, RECIPES)}")
    return cast("TaskName", written) if written else None


def listed(written: str) -> list[str]:
    """Names between commas."""
    return [name.strip() for name in written.split(",") if name.strip()]


def show_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table: with rules in a terminal, as plain columns into a file or a pipe."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    if not console.is_terminal:
        print_table(head, rows)
        return
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for place, name in enumerate(head):
        numbers = all(row[place][:1] in "+-.0123456789" for row in rows)
        table.add_column(Text(name), justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)


def score_text(metric: str, value: float | None, *, signed: bool = False) -> str:
    """A score with as many decimals as mean something; nothing for none."""
    return "" if value is None else f"{value:{'+' if signed else ''}.{metric_named(metric).decimals}f}"


def interval_text(metric: str, bounds: tuple[float, float] | None, *, signed: bool = False) -> str:
    """Where a score lies."""
    if bounds is None:
        return ""
    return " to ".join(score_text(metric, bound, signed=signed) for bound in bounds)


def show_sentence(where: str, source: str, reference: str, outputs: Sequence[tuple[str, str, str]]) -> None:
    """Print a sentence with its outputs; each of these has a name and a score."""
    from rich.cells import cell_len

    from regard.insight.display import visible

    named = [("source", "", source), *outputs]
    if reference not in ("", source):
        named.insert(1, ("reference", "", reference))
    name_width, score_width = (max(cell_len(row[place]) for row in named) for place in (0, 1))
    typer.echo(where)
    for name, score, text in named:
        space = " " * (name_width - cell_len(name))
        typer.echo(f"  {name}{space}  {score:>{score_width}}  {visible(text)}".rstrip())


def check_file(path: Path, unless: Sequence[str | None] = ()) -> None:
    """Refuse, before any work, a file that cannot be written, or that is one of those that are read."""
    from regard.errors import StoreError
    from regard.store.atomic import check_writable

    if path.is_dir():
        raise StoreError(f"{path}: expected the name of a file, found a folder")
    if any(other and Path(other).resolve() == path.resolve() for other in unless):
        raise StoreError(f"{path}: is read from or written to already; choose another file")
    check_writable(path.parent)


def write_outputs(path: Path, result: "Evaluation") -> None:
    """Write the outputs, one a line, or as JSON lines where the name of the file says so."""
    from regard.evaluation.outputs import is_json_lines
    from regard.store.atomic import write_file

    content = result.outputs_as(json_lines=is_json_lines(path)).encode()
    write_file(path, gzip.compress(content, mtime=0) if path.suffix.lower() == ".gz" else content)
