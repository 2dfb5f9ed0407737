"""regard reproduce: a paper's finding, run again."""

import json
import os
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.options import AsJson, Quiet, Threads, argument, option, outlive_readers, switch, use_threads
from regard.errors import DataError
from regard.progress import say

if TYPE_CHECKING:
    from regard.experiments.experiment import Experiment
    from regard.experiments.record import Reproduction


def reproduce(
    name: Annotated[str, argument("EXPERIMENT", "What to run; without it, the experiments are listed.")] = "",
    out: Annotated[
        Path | None,
        option("FOLDER", "The folder to make; by default runs/EXPERIMENT, with -quick if so.", "--out", "-o"),
    ] = None,
    quick: Annotated[bool, switch("Small models and short training: a few minutes.", "--quick")] = False,
    seeds: Annotated[
        int | None,
        option(
            "N", "Trainings of each system, or repetitions; by default its own number.", least=1, most=100
        ),
    ] = None,
    data: Annotated[
        Path | None,
        option(
            "FOLDER",
            "The folder with the real corpora, by default $REGARD_DATA; without it they are left out.",
        ),
    ] = None,
    worlds: Annotated[
        list[str] | None,
        option("NAME", "Run this part alone, such as built-in; may be given several times.", "--world"),
    ] = None,
    as_json: AsJson = False,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Run a paper's experiment again, and say which of its findings are confirmed.

    A finding is confirmed, opposite, or not resolved. It trains what it needs, and leaves the result as JSON
    and as a figure (PNG and SVG) in the folder.
    Stopped and started again, it resumes where it was.

    Examples:

      regard reproduce

      regard reproduce rnn-memory --quick

      regard reproduce bahdanau-length --data corpora --out runs/length
    """
    from regard.experiments.catalogue import LINES, find_experiment

    if not name:
        _list(LINES, as_json=as_json)
        return
    if data is not None:
        _check_folder(data)
    experiment = find_experiment(name)
    from regard.experiments.reproduce import DATA
    from regard.experiments.reproduce import reproduce as run_again

    use_threads(threads)
    outlive_readers()
    if data is not None:
        os.environ[DATA] = str(data.resolve())
    folder = out or Path("runs") / f"{name}{'-quick' if quick else ''}"
    record = run_again(experiment, folder, quick=quick, seeds=seeds, worlds=worlds or (), quiet=quiet)
    say(f"wrote {folder / name}.json, .png and .svg", quiet=quiet)
    if as_json:
        typer.echo(record.model_dump_json())
    else:
        _show(experiment, record)


def _check_folder(data: Path) -> None:

    if not data.is_dir():
        raise DataError(
            f"{data}: expected the folder with the corpora, found {'a file' if data.exists() else 'nothing'}"
        )


def _list(lines: dict[str, str], *, as_json: bool) -> None:

    if as_json:
        typer.echo(json.dumps(lines, ensure_ascii=False))
        return
    width = max(map(len, lines))
    for name, line in lines.items():
        typer.echo(f"{name:<{width}}  {line}")


def _show(experiment: "Experiment", record: "Reproduction") -> None:
    """Two tables: the results, and the verdicts on the findings."""
    from regard.cli.scores import show_table
    from regard.experiments.record import effect_text, interval_text, over_text

    for world in experiment.worlds:
        _show_world(world.name, world.title, record, experiment.shown)
    show_table(
        ["verdict", "finding", "where", "effect", "95 % interval", "over"],
        [
            [each.verdict, each.name, each.world, effect_text(each), interval_text(each), over_text(each)]
            for each in record.findings
        ],
    )
    for each in record.left_out:
        typer.echo(f"left out: {each.world}: {each.why}")
    for note in record.notes:
        typer.echo(f"note: {note}")
    if record.quick:
        typer.echo("quick form: small models and short training; the whole experiment resolves more")


def _show_world(name: str, title: str, record: "Reproduction", shown: tuple[str, ...]) -> None:

    from regard.cli.scores import show_table

    parts = [part for part in record.parts if part.world == name]
    measures = [measure for measure in shown if any(measure in part.values for part in parts)]
    if not parts:
        return
    rows = []
    for system in dict.fromkeys(part.system for part in parts):
        own = [part for part in parts if part.system == system]
        row = [system, f"{own[0].about['parameters']:,}", f"{fmean(part.seconds for part in own) / 60:.1f}"]
        for measure in measures:
            values = [value for part in own if (value := part.values.get(measure)) is not None]
            row.append(f"{fmean(values):.3g}" if values else "")
        rows.append(row)
    typer.echo(f"{title}: mean over {len({part.seed for part in parts})} of the {record.repeats}")
    show_table(["system", "parameters", "minutes", *measures], rows)
    typer.echo("")
