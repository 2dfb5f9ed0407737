"""regard train: a recipe in, a run folder out."""

import os
from pathlib import Path
from typing import Annotated

import typer

SPLITS = {"train": ("train",), "dev": ("dev", "valid", "val"), "test": ("test",)}


def train(
    recipe: Annotated[str, typer.Argument(help="Name of a shipped recipe, or a recipe file (YAML).")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The run folder to make.")],
    settings: Annotated[
        list[str] | None, typer.Option("--set", "-s", help="Override a setting, such as model.dropout=0.2.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="A folder with train, dev and (if you like) test as .tsv or .tsv.gz."),
    ] = None,
    source: Annotated[str, typer.Option(help="The column to translate from.")] = "",
    target: Annotated[str, typer.Option(help="The column to translate to.")] = "",
    device: Annotated[str, typer.Option(help="Where to train: cpu or cuda.")] = "cpu",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Train the model that a recipe describes.

    Examples:

      regard train bahdanau --out runs/ko-en

      regard train bahdanau --data corpora/multi30k --source de --target en --out runs/de-en

      regard train mine.yaml --out runs/mine --set training.epochs=5 --set model.dropout=0.2
    """
    from regard import api
    from regard.config.load import Setting

    changes: list[Setting] = [*(_folder_settings(data) if data else [])]
    changes += [(f"data.{side}", name) for side, name in (("source", source), ("target", target)) if name]
    summary = api.train(recipe, out=out, settings=[*changes, *(settings or [])], device=device, quiet=quiet)
    best = "  ".join(f"{name} {value:.3f}" for name, value in summary.best.items())
    early = ", stopped early" if summary.stopped_early else ""
    typer.echo(
        f"{out}: {summary.steps} steps in {summary.seconds / 60:.1f} minutes{early}; "
        f"best at step {summary.best_step}: {best}"
    )


def _folder_settings(folder: Path) -> list[tuple[str, str | None]]:
    """Settings that name the files of a data folder."""
    from regard.config.data import TSV_ENDINGS
    from regard.errors import DataError

    expanded = Path(os.path.expandvars(folder))
    if not expanded.is_dir():
        raise DataError(f"{folder}: expected a folder with train.tsv and dev.tsv (or .tsv.gz)")
    settings: list[tuple[str, str | None]] = []
    for split, names in SPLITS.items():
        files = [name + ending for name in names for ending in TSV_ENDINGS]
        found = [file for file in files if (expanded / file).is_file()]
        if found:
            settings.append((f"data.{split}", str(folder / found[0])))
        elif split == "test":
            settings.append(("data.test", None))  # not the recipe's, which is of other data
        else:
            wanted = " or ".join(f"{name}.tsv" for name in names)
            raise DataError(f"{folder}: has no {wanted} (or .tsv.gz)")
    return settings
