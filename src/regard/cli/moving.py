"""regard import, regard export: models from other libraries, and for them."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from regard.cli.options import Quiet


class To(StrEnum):
    """Whose layout a model is written in."""

    TRANSFORMERS = "transformers"
    SENTENCE_TRANSFORMERS = "sentence-transformers"
    MARIAN = "marian"


def import_(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="A folder of another library, or a name of the Hugging Face hub: owner/name.",
        ),
    ],
    out: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to make.")],
    revision: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Of a name: the branch, tag or commit; by default the newest."),
    ] = None,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Of a classifier: it reads two texts at a time.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Check and copy a model of transformers, sentence-transformers or Marian, for good.

    Such folders open without this, too: an imported one is whole, has a manifest, and needs no network.

    Examples:

      regard import downloads/all-MiniLM-L6-v2 minilm

      regard import Helsinki-NLP/opus-mt-ko-en ko-en

      regard import downloads/roberta-large-mnli mnli --pairs
    """
    from regard import api
    from regard.progress import say

    for note in api.import_model(model, out, revision=revision, pairs=pairs):
        say(note, quiet=quiet)
    say(f"wrote {out}", quiet=quiet)


def export(
    model: Annotated[
        Path,
        typer.Argument(metavar="MODEL", help="A model folder, a run folder, or a folder of another library."),
    ],
    out: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to make.")],
    to: Annotated[To, typer.Option(help="Whose layout to write.")] = To.TRANSFORMERS,
    quiet: Quiet = False,
) -> None:
    """Write a model in the layout of transformers, sentence-transformers or Marian.

    They load it as one of their own.

    Examples:

      regard export ko-en exported --to marian

      regard export runs/opinions exported        # a fine-tuned BERT, for transformers

      regard export minilm exported --to sentence-transformers
    """
    from regard import api
    from regard.progress import say

    for note in api.export_model(model, out, to=to.value):
        say(note, quiet=quiet)
    say(f"wrote {out}", quiet=quiet)
