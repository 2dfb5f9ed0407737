"""regard new: a recipe for your own data, with sizes that fit the corpus and the machine."""

import math
import os
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.new_corpus import Prepared, look_over, prepare
from regard.cli.options import Quiet, Threads, option, switch, use_threads
from regard.cli.own_columns import Wanted, columns_of, wanted_of
from regard.progress import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regard.config.load import Setting
    from regard.config.recipe import Recipe
    from regard.tasks.fitting import Fitted
    from regard.training.estimate import Estimate

_MEANT = {
    "dev": "to choose the best checkpoint on",
    "test": "to measure the model on",
    "source": "the column to translate from",
    "target": "the column to translate to",
    "text": "the column to read",
    "second": "the column of the other text",
    "label": "the column of the label",
    "question": "the column of the questions",
    "answer": "the column of the answers",
    "start": "null: an answer is taken to be where its words stand first",
    "score": "the column of how near two texts are",
}
_HOURS = 2.0
"""That a run takes if nobody says how long it may."""
_SAMPLE_DEV = 100


def new(
    data: Annotated[
        str,
        option("DATA", "A folder with train (dev, test) files, or one file with all rows."),
    ] = "",
    source: Annotated[str, option("COLUMN", "The column, or the ending, to translate from.")] = "",
    target: Annotated[str, option("COLUMN", "The column, or the ending, to translate to.")] = "",
    text: Annotated[str, option("COLUMN", "For all other tasks: the column to read.")] = "",
    second: Annotated[str, option("COLUMN", "For pairs of texts: the column of the other.")] = "",
    label: Annotated[
        str,
        option("COLUMN", "The column of the label or the tags; or of the similarity of two texts."),
    ] = "",
    question: Annotated[str, option("COLUMN", "For question answering: the column of the questions.")] = "",
    answer: Annotated[
        str,
        option(
            "KIND",
            "For a classifier: what the label is: label (the default), labels or number; for question "
            "answering: the column of the answers.",
        ),
    ] = "",
    task: Annotated[str, option("TASK", "The task, where the data does not show it.")] = "",
    recipe: Annotated[
        str,
        option("RECIPE", "The shipped recipe to start from; by default one for the task."),
    ] = "",
    hours: Annotated[
        float | None,
        option(
            "NUMBER",
            "Stop training after so long, and choose a model that can learn in that time; by default, "
            "about 2 hours without a limit.",
            least=0.01,
            most=10_000,
        ),
    ] = None,
    out: Annotated[str, option("FILE", "The file to write, such as mine.yaml.", "--out", "-o")] = "",
    full: Annotated[bool, switch("Write every setting, and all about it.", "--full")] = False,
    skip_bad: Annotated[
        bool, switch("Leave out rows that cannot be used, instead of refusing them.", "--skip-bad")
    ] = False,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Write a recipe for your own files: look at them, choose sizes, try a few steps.

    What no flag says is asked, in a terminal. A single file is cut into train, dev and test, so that no
    sentence, on either side, stands in two of them; all its columns are kept.

    Examples:

      regard new

      regard new --data corpora/multi30k --source de --target en --out de-en.yaml

      regard new --data pairs.csv --source ko --target en --hours 0.5 --out ko-en.yaml

      regard new --data reviews.csv --text review --label stars --out reviews.yaml

      regard new --data corpora/ner --task tagging --out ner.yaml
    """
    from regard.cli.own_columns import ask
    from regard.config.commented import brief_yaml, commented_yaml
    from regard.store.atomic import write_file
    from regard.tasks.catalogue import TASKS

    use_threads(threads)
    data = ask(data, "--data", "Where is your data? A folder, or a file with all rows", check=_check_data)
    named = {"source": source, "target": target, "question": question, "text": text, "second": second}
    named |= {"label": label, "answer": answer}
    given = {name: value for name, value in named.items() if value}
    wanted = wanted_of(data, columns_of(data), given, task=task, recipe=recipe)
    out = ask(out, "--out", "Which file shall the recipe be", default="recipe.yaml", check=_check_new)
    again = f"--out {quote(out)}"
    again += f" --recipe {quote(recipe)}" if recipe else ""
    again += f" --hours {hours:g}" if hours is not None else ""
    again += " --full" if full else ""
    prepared = prepare(data, wanted, Path(out), again, skip_bad=skip_bad, quiet=quiet)
    with prepared.undone_by_errors():
        look_over(prepared, wanted, quiet=quiet)
        fitted = _fit(recipe or TASKS[wanted.task].starter, prepared, wanted, hours, quiet=quiet)
    command = f"regard train {quote(out)} --out {quote(f'runs/{Path(out).stem}')}"
    meant = {**_MEANT, "train": f"{counted(prepared.rows, 'row')} to learn from"}
    if wanted.task == "classification":
        meant["answer"] = "label, labels or number"
    known = [*(path for path, _ in wanted.settings), *(f"data.{part}" for part in prepared.corpora)]
    reasons = {path: meant[path.partition(".")[2]] for path in known} | fitted.reasons
    head = f"A recipe for {data}, {wanted.told}.\nTrain it: {command}"
    if full:
        text = commented_yaml(fitted.recipe, head, fitted.reasons)
    else:
        more = "\nAll other settings have their defaults: regard new --full writes them, too."
        text = brief_yaml(fitted.recipe, head + more, reasons, defaults=False)
    write_file(Path(out), text)
    typer.echo(f"{out}: written; {_length(fitted)} on this machine")
    typer.echo(f"next: {command}")


def _length(fitted: "Fitted") -> str:
    """How long the run will be, in words."""
    training, epoch = fitted.recipe.training, fitted.measured.epoch_seconds
    minutes = training.epochs * epoch / 60
    if training.minutes is not None and training.minutes < minutes:
        done = 60 * training.minutes / epoch
        return f"training stops after {training.minutes:g} minutes, which are about {done:.1f} epochs"
    return f"its {counted(training.epochs, 'epoch')} take about {counted(max(1, round(minutes)), 'minute')}"


def _check_data(path: str) -> None:
    from regard.config.load import corpus_from_short_form
    from regard.data.lines import file_path
    from regard.errors import DataError

    place = file_path(path)
    if not place.exists():
        raise DataError(f"{path}: no such file or folder")
    if place.is_file():
        corpus_from_short_form(path)


def _check_new(path: str) -> None:
    from regard.errors import ConfigError

    if Path(path).suffix not in (".yaml", ".yml"):
        raise ConfigError(f"{path}: expected a name that ends in .yaml")
    if Path(path).exists():
        raise ConfigError(f"{path}: is there already; choose another name, or delete it")


def _fit(base: str, prepared: Prepared, wanted: Wanted, hours: float | None, *, quiet: bool) -> "Fitted":
    """Sizes by a few steps on a sample of the corpus, which takes seconds however large it is."""
    from regard import api
    from regard.config.load import Setting, load_recipe, with_settings
    from regard.tasks.fitting import fit_sizes

    settings: list[Setting] = [*wanted.settings, ("data.test", None)]
    settings += [(f"data.{part}", corpus) for part, corpus in prepared.corpora.items()]
    settings += [("description", wanted.told)]
    if prepared.bad:
        settings += [("data.on_bad_row", "skip"), ("data.bad_row_limit", max(100, prepared.bad))]
    recipe = load_recipe(base, settings)
    with _sample(prepared, wanted) as (sample, share):

        def measure(sized: "Recipe") -> "Estimate":
            _, found = api.dry_run(with_settings(sized, sample), quiet=quiet)
            return replace(found, steps_per_epoch=math.ceil(found.steps_per_epoch / share))

        stop = hours is not None
        return fit_sizes(recipe, hours or _HOURS, measure, rows=prepared.rows, stop=stop)


@contextmanager
def _sample(prepared: Prepared, wanted: Wanted) -> "Iterator[tuple[list[Setting], float]]":
    """Settings that name some of the training rows, and their share; what is made of them is not kept."""
    from regard.data.rows import Row
    from regard.data.writers import write_rows
    from regard.tasks.fitting import sample_rows

    share = min(1.0, sample_rows(prepared.rows) / prepared.rows)
    train = prepared.corpora["train"]
    rows = wanted.schema(train).open(train, split="train")
    good = (row for row in rows if isinstance(row, Row))
    # Evenly over the corpus: its beginning may be of one kind.
    drawn = [row for place, row in enumerate(good) if int((place + 1) * share) > int(place * share)]
    with tempfile.TemporaryDirectory(prefix="regard-new-") as folder, _cache_in(folder):
        paths = {part: f"{folder}/{part}.jsonl" for part in ("train", "dev")}
        write_rows(drawn, rows.columns, paths["train"])
        write_rows(drawn[:_SAMPLE_DEV], rows.columns, paths["dev"])
        settings: list[Setting] = [(f"data.{part}", path) for part, path in paths.items()]
        yield [*settings, ("data.test", None)], len(drawn) / prepared.rows


@contextmanager
def _cache_in(folder: str) -> "Iterator[None]":
    """What a sample is encoded to is of no use afterwards, so it does not go to the user's cache."""
    before = os.environ.get("REGARD_CACHE")
    os.environ["REGARD_CACHE"] = f"{folder}/cache"
    try:
        yield
    finally:
        os.environ.pop("REGARD_CACHE")
        os.environ |= {} if before is None else {"REGARD_CACHE": before}
