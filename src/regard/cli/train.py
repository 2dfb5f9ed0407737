"""regard train: a recipe in, a run folder out."""

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard import api
from regard.cli.options import (
    AsJson,
    Device,
    Quiet,
    Seed,
    Settings,
    Threads,
    argument,
    complete_recipe,
    option,
    outlive_readers,
    switch,
    use_threads,
)
from regard.errors import ConfigError, DataError
from regard.progress import counted

if TYPE_CHECKING:
    from regard.config.load import Setting
    from regard.config.recipe import Recipe
    from regard.training.estimate import Estimate


def train(
    recipe: Annotated[
        str | None,
        argument(
            "RECIPE",
            "Name of a shipped recipe, or a recipe file (YAML); with --from, by default its own.",
            complete_recipe,
        ),
    ] = None,
    out: Annotated[Path | None, option("FOLDER", "The run folder to make.", "--out", "-o")] = None,
    set_: Settings = None,
    data: Annotated[
        str, option("FOLDER", "A folder with train, dev and (if you like) test files, such as train.tsv.gz.")
    ] = "",
    source: Annotated[str, option("COLUMN", "The column to translate from.")] = "",
    target: Annotated[str, option("COLUMN", "The column to translate to.")] = "",
    text: Annotated[str, option("COLUMN", "Without a translation: the column to read.")] = "",
    second: Annotated[str, option("COLUMN", "Of pairs: the column of the second text.")] = "",
    label: Annotated[
        str, option("COLUMN", "Of a classifier or tagger: the column of the label, or of the tags.")
    ] = "",
    answer: Annotated[
        str,
        option(
            "COLUMN",
            "Of a classifier: what the label is: label, labels or number. Of questions: the column of "
            "the answers.",
        ),
    ] = "",
    question: Annotated[str, option("COLUMN", "Of questions: their column.")] = "",
    score: Annotated[
        str, option("COLUMN", "Of a sentence encoder: the column of the similarity of two texts, a number.")
    ] = "",
    from_: Annotated[
        str | None,
        option("MODEL", "Start a new run with the weights and the vocabulary of this model.", "--from"),
    ] = None,
    extend: Annotated[
        bool, switch("With --from: add entries that the new text needs.", "--extend-vocabulary")
    ] = False,
    dry_run: Annotated[
        bool, switch("Train a few steps; estimate the size, the memory and the time of a run.", "--dry-run")
    ] = False,
    seed: Seed = None,
    as_json: AsJson = False,
    device: Device = "cpu",
    threads: Threads = None,
    logger: Annotated[
        list[str] | None,
        option("NAME", "Also log to this logger: tensorboard, or one of a plugin. Repeatable."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Train the model that a recipe describes.

    Examples:

      regard train bahdanau --out runs/ko-en

      regard train bahdanau --data corpora/multi30k --source de --target en --out runs/de-en

      regard train self-attentive --data corpora/reviews --text review --label stars --out runs/reviews

      regard train bert-embedder --from minilm --data corpora/paraphrases --text a --second b --out runs/near

      regard train lm-lstm --data corpora/novels --out runs/novels

      regard train mine.yaml --out runs/mine --set training.epochs=5 --set model.dropout=0.2

      regard train mine.yaml --dry-run

      regard train --from runs/ko-en --data corpora/medical --extend-vocabulary --out runs/medical
    """
    from regard.config.load import load_recipe

    outlive_readers()
    if extend and from_ is None:
        raise ConfigError("--extend-vocabulary is for --from MODEL, which names the vocabulary to extend")
    if recipe is None and from_ is None and (out is None or not (out / "recipe.yaml").is_file()):
        raise ConfigError("which recipe? name one, such as bahdanau, or a model to start from")
    if data:
        own = load_recipe(recipe) if recipe is not None else api.choose_recipe(None, from_=from_, run=out)
        changes: list[Setting] = folder_settings(own, data, source, target)
    else:
        changes = []
    if extend:
        changes.append(("start.vocabulary", "extend"))
    sides = {"source": source, "target": target}
    named = {**sides, "text": text, "second": second, "label": label, "answer": answer, "question": question}
    named |= {"score": score}
    changes += [(f"data.{side}", name) for side, name in named.items() if name]
    changes += set_ or []
    if seed is not None:
        changes.append(("training.seed", seed))
    if recipe is not None:  # a mistake in it is told before torch is there
        load_recipe(recipe, [*([("start.model", from_)] if from_ is not None else []), *changes])
    if not dry_run and out is None:
        raise ConfigError("--out is missing: name the run folder to make, such as --out runs/mine")
    use_threads(threads)
    if dry_run or out is None:
        corpus, found = api.dry_run(recipe, from_=from_, set_=changes, device=device, quiet=quiet)
        if as_json:
            typer.echo(json.dumps({"corpus": corpus, **dataclasses.asdict(found)}, ensure_ascii=False))
        else:
            translates = api.choose_recipe(recipe, changes, from_=from_).task == "translation"
            print_estimate(corpus, found, unit="target tokens" if translates else "tokens")
        return
    summary = api.train(
        recipe,
        out=out,
        from_=from_,
        set_=changes,
        device=device,
        quiet=quiet,
        loggers=logger or (),
    )
    if as_json:
        typer.echo(json.dumps({"run": str(out), **summary.to_dict()}, ensure_ascii=False))
        return
    best = "  ".join(f"{name} {value:.3f}" for name, value in summary.best.items())
    where = (
        f"is the average of {counted(len(summary.averaged), 'checkpoint')}"
        if summary.averaged
        else f"at step {summary.best_step}"
    )
    early = ", stopped early" if summary.stopped_early else ""
    typer.echo(
        f"{out}: {counted(summary.steps, 'step')} in {summary.seconds / 60:.1f} minutes{early}; "
        f"best {where}: {best}"
    )


def print_estimate(corpus: str, found: "Estimate", *, unit: str = "target tokens") -> None:
    """What a dry run has seen, as lines on stdout."""
    total = sum(found.parameters.values())
    typer.echo(corpus)
    parts = ", ".join(f"{name} {count:,}" for name, count in found.parameters.items())
    typer.echo(f"parameters: {total:,} ({parts})")
    typer.echo(
        f"memory:     {found.peak_bytes / 1e6:,.0f} MB at the most, the whole program; "
        f"weights {found.weight_bytes / 1e6:,.1f} MB, with gradients and optimizer "
        f"{found.training_bytes / 1e6:,.1f} MB"
    )
    typer.echo(
        f"speed:      {found.tokens_per_second:,.0f} {unit}/s, "
        f"{1000 * found.step_seconds:,.0f} ± {1000 * found.step_spread:,.0f} ms a step"
    )
    epoch, most = found.epoch_seconds, found.epochs
    whole = f"{_duration(epoch * most)} for {counted(most, 'epoch')}"
    if found.minutes is not None and 60 * found.minutes < epoch * most:
        reached = 60 * found.minutes / epoch
        whole = f"{reached:.1f} of {counted(most, 'epoch')} in the {found.minutes:g} min of training.minutes"
    typer.echo(
        f"time:       {_duration(epoch)} an epoch of {counted(found.steps_per_epoch, 'step')}, {whole}; "
        "validation comes on top"
    )


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def folder_settings(recipe: "Recipe", folder: str, source: str, target: str) -> list["Setting"]:
    """Settings that name the files of a data folder; the languages of a pair are the recipe's by default."""
    from regard.config.data import DataConfig
    from regard.data.folders import SPLITS, find_splits

    data = recipe.data
    sides = (source or data.source, target or data.target) if isinstance(data, DataConfig) else ("", "")
    found = find_splits(folder, *sides)
    for split in ("train", "dev"):
        if split not in found:
            wanted = " or ".join(f"{name}.tsv" for name in SPLITS[split])
            raise DataError(f"{folder}: has no {wanted} (nor .csv, .jsonl and so on, nor with .gz)")
    # Without a test file there is none: the recipe's own is of other data.
    return [("data.test", None), *((f"data.{split}", corpus) for split, corpus in found.items())]
