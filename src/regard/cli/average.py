"""regard average: one model whose weights are the mean of others'."""

from pathlib import Path
from typing import Annotated

import typer

from regard.cli.options import Quiet
from regard.progress import counted


def average(
    models: Annotated[
        list[Path],
        typer.Argument(metavar="MODEL", help="Model folders; or one run folder, with --best or --last."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="The model folder to make.")],
    best: Annotated[
        int | None,
        typer.Option(metavar="N", min=2, help="The checkpoints of the run that did best on the dev set."),
    ] = None,
    last: Annotated[
        int | None,
        typer.Option(metavar="N", min=2, help="The last checkpoints of the run that were measured."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Average the weights of several models of one recipe and vocabulary.

    A classifier, a tagger or a model for question answering is calibrated again on the dev set of its recipe.

    A run keeps what its recipe says: train with training.keep.best=5, or let training.average do it all.

    Examples:

      regard average runs/ko-en --best 5 --out models/ko-en

      regard average runs/a/checkpoints/step-00001000 runs/a/checkpoints/step-00002000 --out models/a
    """
    from regard.errors import DataError, StoreError
    from regard.progress import say
    from regard.store.average import average_models
    from regard.store.folder import write_model
    from regard.tasks.calibration import calibrated

    if out.exists():
        raise StoreError(f"{out}: is there already; choose another folder")
    folders = _of_run(models, best, last) if best or last else models
    if len(folders) < 2:
        raise StoreError(
            f"expected two models or more to average, found {len(folders)}; see --best and --last"
        )
    averaged = average_models(folders)
    try:
        averaged = calibrated(averaged, str(out))
    except DataError as error:
        say(f"the dev set cannot be read, so probabilities are not calibrated: {error}", quiet=quiet)
    write_model(out, averaged)
    typer.echo(f"{out}: the average of {counted(len(folders), 'model')}")
    for folder in folders:
        say(f"  {folder}", quiet=quiet)


def _of_run(models: list[Path], best: int | None, last: int | None) -> list[Path]:
    from regard.errors import ConfigError, StoreError
    from regard.store.pointer import POINTER, pointed

    if best and last:
        raise ConfigError("--best and --last exclude each other; choose one")
    if len(models) != 1 or not (models[0] / POINTER).is_file():
        raise StoreError(f"{models[0]}: expected one run folder with --best or --last ({POINTER})")
    run, wanted = models[0], best or last or 0
    pointers = pointed(run)
    entries = pointers.top(wanted) if best else pointers.latest(wanted)
    if len(entries) < wanted:
        raise StoreError(
            f"{run}: has {len(entries)} measured checkpoints, {wanted} are wanted; "
            f"training.keep.{'best' if best else 'last'} says how many a run keeps"
        )
    return [run / entry.folder for entry in entries]
