"""regard new: a recipe for your own data, with sizes that fit the corpus and the machine."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from regard.cli.options import Quiet, Threads, use_threads
from regard.progress import counted

if TYPE_CHECKING:
    from regard.data.checks import CellKind
    from regard.data.doctor.guess import Layout
    from regard.training.fitting import Fitted


def new(
    data: Annotated[
        str,
        typer.Option(
            metavar="DATA", help="A folder with train (dev, test) files, or one file with all rows."
        ),
    ] = "",
    source: Annotated[
        str, typer.Option(metavar="COLUMN", help="The column, or the ending, to translate from.")
    ] = "",
    target: Annotated[
        str, typer.Option(metavar="COLUMN", help="The column, or the ending, to translate to.")
    ] = "",
    text: Annotated[str, typer.Option(metavar="COLUMN", help="For a classifier: the column to read.")] = "",
    second: Annotated[
        str, typer.Option(metavar="COLUMN", help="For a classifier of pairs: the column of the other.")
    ] = "",
    label: Annotated[
        str, typer.Option(metavar="COLUMN", help="For a classifier: the column of the label.")
    ] = "",
    answer: Annotated[
        str,
        typer.Option(
            metavar="KIND", help="For a classifier: what that is: label (the default), labels or number."
        ),
    ] = "",
    recipe: Annotated[
        str,
        typer.Option(
            metavar="RECIPE", help="The shipped recipe to start from; by default bahdanau, or self-attentive."
        ),
    ] = "",
    hours: Annotated[
        float, typer.Option(metavar="NUMBER", min=0.01, max=10_000, help="How long training may take.")
    ] = 2.0,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="The file to write, such as mine.yaml.")
    ] = "",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Write a recipe for your own files: look at them, choose sizes, try a few steps.

    What no flag says is asked, in a terminal. A single file is cut into train, dev and test, so that no
    sentence stands in two of them.

    Examples:

      regard new

      regard new --data corpora/multi30k --source de --target en --out de-en.yaml

      regard new --data pairs.csv --source ko --target en --hours 0.5 --out ko-en.yaml

      regard new --data reviews.csv --text review --label stars --out reviews.yaml
    """
    from regard.cli.ask import ask
    from regard.config.commented import commented_yaml
    from regard.config.load import load_recipe
    from regard.errors import ConfigError
    from regard.store.atomic import write_file

    use_threads(threads)
    data = ask(data, "--data", "Where is your data? A folder, or a file with all rows", check=_check_data)
    columns = _columns(data)
    named = {"text": text, "second": second, "label": label, "answer": answer}
    if any(named.values()) and (source or target):
        raise ConfigError("--source and --target are for translation, --text and --label for a classifier")
    layout = None if source or target else _layout(data, columns)
    if any(named.values()) or (layout is not None and layout.label and not layout.translation):
        wanted = _for_classification(columns, named, layout)
    else:
        wanted = _for_translation(columns, source, target, layout)
    base = recipe or wanted.recipe
    load_recipe(base, task=wanted.task)  # before anything is cut or read
    out = ask(out, "--out", "Which file shall the recipe be", default="recipe.yaml", check=_check_new)
    corpora = _corpora(data, wanted, Path(out))
    _look(data, corpora, wanted, quiet=quiet)
    fitted = _fit(base, corpora, wanted, hours, quiet=quiet)
    command = f"regard train {out} --out runs/{Path(out).stem}"
    head = f"A recipe for {data}, {wanted.told}.\nTrain it: {command}"
    write_file(Path(out), commented_yaml(fitted.recipe, head, fitted.reasons))
    epochs = fitted.recipe.training.epochs
    minutes = epochs * fitted.measured.epoch_seconds / 60
    typer.echo(f"{out}: written; its {epochs} epochs take about {minutes:.0f} minutes on this machine")
    typer.echo(f"next: {command}")


@dataclass(frozen=True)
class _Wanted:
    """What a recipe is to be for, and the columns that it names."""

    task: Literal["translation", "classification"]
    told: str
    columns: "dict[str, CellKind]"
    settings: dict[str, str]
    """Of the section `data`."""
    sides: tuple[str, ...]
    """The columns of text."""

    @property
    def recipe(self) -> str:
        """The shipped recipe to start from."""
        return "bahdanau" if self.task == "translation" else "self-attentive"


def _for_translation(columns: tuple[str, ...], source: str, target: str, layout: "Layout | None") -> _Wanted:
    from regard.cli.ask import ask
    from regard.errors import ConfigError

    guess = layout.sides if layout is not None and layout.translation else ("", "")
    names = f" ({', '.join(columns)})" if columns else ""
    check = _one_of(columns)
    source = ask(source, "--source", f"Translate from which column{names}", default=guess[0], check=check)
    target = ask(target, "--target", f"Translate into which column{names}", default=guess[1], check=check)
    if source == target:
        raise ConfigError(f"--source and --target are both '{source}'; name two columns")
    settings = {"source": source, "target": target}
    kinds: dict[str, CellKind] = {source: "text", target: "text"}
    return _Wanted("translation", f"{source} to {target}", kinds, settings, (source, target))


def _for_classification(columns: tuple[str, ...], named: dict[str, str], layout: "Layout | None") -> _Wanted:
    from regard.cli.ask import ask
    from regard.errors import ConfigError

    names = f" ({', '.join(columns)})" if columns else ""
    check = _one_of(columns)
    guess = (layout.sides[0], layout.label or "") if layout is not None else ("", "")
    text = ask(named["text"], "--text", f"Which column is read{names}", default=guess[0], check=check)
    label = ask(named["label"], "--label", f"Which column is the label{names}", default=guess[1], check=check)
    if named["second"]:
        check(named["second"])
    answer = named["answer"] or "label"
    if answer not in ("label", "labels", "number"):
        raise ConfigError(f"--answer: expected label, labels or number, found '{answer}'")
    sides = tuple(filter(None, (text, named["second"])))
    if len({*sides, label}) < len(sides) + 1:
        raise ConfigError(f"--text, --second and --label name a column twice: {', '.join((*sides, label))}")
    kinds: dict[str, CellKind] = {**dict.fromkeys(sides, "text"), label: answer}  # type: ignore[dict-item]
    settings = {"text": text, "label": label, "answer": answer}
    settings |= {"second": named["second"]} if named["second"] else {}
    return _Wanted("classification", f"{label} of {' and '.join(sides)}", kinds, settings, sides)


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


def _one_of(columns: tuple[str, ...]) -> Any:
    from regard.errors import ConfigError, did_you_mean

    def check(name: str) -> None:
        if columns and name not in columns:
            raise ConfigError(f"no column is called '{name}'; {did_you_mean(name, columns)}")

    return check


def _train_file(data: str) -> Any:
    """The corpus that is learned from, or None where plain files stand side by side."""
    from regard.data.folders import find_splits
    from regard.data.lines import file_path

    return data if file_path(data).is_file() else find_splits(data).get("train")


def _columns(data: str) -> tuple[str, ...]:
    from regard.config.load import corpus_from_short_form
    from regard.data.readers import open_rows

    train = _train_file(data)
    return open_rows(corpus_from_short_form(train)).columns if train else ()


def _layout(data: str, columns: tuple[str, ...]) -> "Layout | None":
    """What the columns are, by their names and what is in them; None where that cannot be seen."""
    from itertools import islice

    from regard.config.load import corpus_from_short_form
    from regard.data.doctor.guess import Asked, lay_out
    from regard.data.readers import open_rows
    from regard.data.rows import Row
    from regard.errors import RegardError

    train = _train_file(data)
    if not train:
        return None
    try:
        first = islice(open_rows(corpus_from_short_form(train)), 1000)
        rows = [row.cells for row in first if isinstance(row, Row)]
        samples = {column: [str(row[place]) for row in rows] for place, column in enumerate(columns)}
        return lay_out(samples, Asked(), data)
    except RegardError:
        return None


def _corpora(data: str, wanted: _Wanted, out: Path) -> dict[str, Any]:
    """Train, dev and test as a recipe names them; what is one file is cut in three."""
    from regard.data.folders import find_splits
    from regard.data.lines import file_path
    from regard.errors import DataError

    folder = out.with_name(f"{out.stem}-data")
    if file_path(data).is_file():
        return _cut(data, wanted, folder)
    sides = wanted.sides if wanted.task == "translation" else ("", "")
    found = find_splits(data, *sides)
    if "train" not in found:
        plain = f", or {' and '.join(f'train.{side}' for side in sides)}" if all(sides) else ""
        raise DataError(f"{data}: has no train file, such as train.tsv{plain}")
    if "dev" not in found:
        parts = _cut(found["train"], wanted, folder)
        return {**parts, "test": found.get("test", parts["test"])}
    return {"test": None, **found}


def _cut(corpus: Any, wanted: _Wanted, folder: Path) -> dict[str, Any]:
    from regard.config.load import corpus_from_short_form
    from regard.data.readers import open_rows
    from regard.data.splitting import cut_corpus

    files = cut_corpus(open_rows(corpus_from_short_form(corpus), wanted.columns), folder)
    for path, count in files.values():
        typer.echo(f"{path}: {counted(count, 'row')}", err=True)
    return {part: path for part, (path, _) in files.items()}


def _look(data: str, corpora: dict[str, Any], wanted: _Wanted, *, quiet: bool) -> None:
    """What the doctor finds, a line a finding, the notes left out."""
    from regard.config.load import corpus_from_short_form
    from regard.data.doctor.catalogue import CHECKS
    from regard.data.doctor.diagnose import examine
    from regard.data.doctor.guess import Asked
    from regard.data.doctor.inputs import Input, Role

    roles: tuple[Role, ...] = ("train", "dev", "test")
    inputs = [Input(corpus_from_short_form(corpora[role]), role) for role in roles if corpora.get(role)]
    asked = Asked(text=wanted.sides[0], second=wanted.settings.get("second", ""))
    if wanted.task == "translation":
        asked = Asked(source=wanted.sides[0], target=wanted.sides[1])
    found = examine(inputs, asked, checks=frozenset(CHECKS), quiet=quiet)
    grave = [finding for finding in found.report.findings if finding.check.severity != "note"]
    for finding in grave:
        check = finding.check
        typer.echo(f"{check.severity}: {check.id} ({finding.count:,}): {check.meaning}", err=True)
    if grave:
        typer.echo(f"`regard doctor {data}` shows examples, and --fix OUT writes a clean copy", err=True)


def _fit(base: str, corpora: dict[str, Any], wanted: _Wanted, hours: float, *, quiet: bool) -> "Fitted":
    from regard import api
    from regard.config.load import Setting, load_recipe
    from regard.training.fitting import fit_sizes

    settings: list[Setting] = [(f"data.{name}", value) for name, value in wanted.settings.items()]
    settings += [(f"data.{split}", corpus) for split, corpus in corpora.items()]
    settings += [("description", wanted.told)]
    recipe = load_recipe(base, settings)
    return fit_sizes(recipe, hours, lambda sized: api.dry_run(sized, quiet=quiet)[1])
