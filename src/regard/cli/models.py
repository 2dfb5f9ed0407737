"""regard import, export, average: models from other libraries, and for them; the mean of several."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from regard import api
from regard.cli.options import NewFolder, Quiet, argument, option, switch
from regard.errors import ConfigError, DataError, StoreError
from regard.progress import counted, say


class To(StrEnum):
    """Whose layout a model is written in."""

    TRANSFORMERS = "transformers"
    SENTENCE_TRANSFORMERS = "sentence-transformers"
    MARIAN = "marian"


def import_(
    model: Annotated[
        str, argument("MODEL", "A folder of another library, or a name of the Hugging Face hub: owner/name.")
    ],
    out: NewFolder,
    revision: Annotated[
        str | None, option("NAME", "Of a name: the branch, tag or commit; by default the newest.")
    ] = None,
    pairs: Annotated[bool, switch("Of a classifier: it reads two texts at a time.", "--pairs")] = False,
    quiet: Quiet = False,
) -> None:
    """Check and copy a model of transformers, sentence-transformers or Marian, for good.

    Such folders open without this, too: an imported one is whole, has a manifest, and needs no network.

    Examples:

      regard import downloads/all-MiniLM-L6-v2 minilm

      regard import Helsinki-NLP/opus-mt-ko-en ko-en

      regard import downloads/roberta-large-mnli mnli --pairs
    """
    for note in (*api.import_model(model, out, revision=revision, pairs=pairs), f"wrote {out}"):
        say(note, quiet=quiet)


def export(
    model: Annotated[
        Path, argument("MODEL", "A model folder, a run folder, or a folder of another library.")
    ],
    out: NewFolder,
    to: Annotated[To, option(None, "Whose layout to write.")] = To.TRANSFORMERS,
    quiet: Quiet = False,
) -> None:
    """Write a model in the layout of transformers, sentence-transformers or Marian.

    They load it as one of their own.

    Examples:

      regard export ko-en exported --to marian

      regard export runs/opinions exported        # a fine-tuned BERT, for transformers

      regard export minilm exported --to sentence-transformers
    """
    for note in (*api.export_model(model, out, to=to.value), f"wrote {out}"):
        say(note, quiet=quiet)


def average(
    models: Annotated[
        list[Path], argument("MODEL", "Model folders; or one run folder, with --best or --last.")
    ],
    out: Annotated[Path, option("FOLDER", "The model folder to make.", "--out", "-o")],
    best: Annotated[
        int | None, option("N", "The checkpoints of the run that did best on the dev set.", least=2)
    ] = None,
    last: Annotated[
        int | None, option("N", "The last checkpoints of the run that were validated.", least=2)
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
    from regard.store.pointer import POINTER, read_pointers

    if best and last:
        raise ConfigError("--best and --last exclude each other; choose one")
    if len(models) != 1 or not (models[0] / POINTER).is_file():
        raise StoreError(f"{models[0]}: expected one run folder with --best or --last ({POINTER})")
    run, wanted = models[0], best or last or 0
    pointers = read_pointers(run)
    entries = pointers.top(wanted) if best else pointers.latest(wanted)
    if len(entries) < wanted:
        raise StoreError(
            f"{run}: has {len(entries)} measured checkpoints, {wanted} are wanted; "
            f"training.keep.{'best' if best else 'last'} says how many a run keeps"
        )
    return [run / entry.folder for entry in entries]
