"""regard data: list corpora, show their rows, write them to files."""

import json
import random
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.options import AsJson, argument, option, switch
from regard.data.rows import Row, Rows
from regard.errors import DataError, RegardError
from regard.progress import counted, track

if TYPE_CHECKING:
    from regard.data.rows import Rows

app = typer.Typer(help="List corpora, show rows, write them to files, see the cache.", no_args_is_help=False)

WORLDS = {
    "ko-en": "Korean-English sentence pairs with gold word alignments and the constructions in them",
    "sentiment": "Korean opinions, positive or negative, and the words that decide it",
    "inference": "Korean premises and hypotheses: entailment, neutral, contradiction",
    "tags": "Korean words with their parts of speech",
    "questions": "Korean texts, questions, and the words of the text that answer them",
}

Corpus = Annotated[str, argument("CORPUS", "builtin:ko-en:test, a file, KIND:FILE (- is stdin), hub:NAME.")]
Filter = Annotated[
    list[str] | None,
    option("CONDITION", "Keep rows that meet this, such as 'source != bible'.", "--filter", "-f"),
]
Columns = Annotated[str, option("COLUMN,COLUMN", "Only these columns, separated by commas.")]
Rows_ = Annotated[int | None, option("N", "How many rows.", "--rows", "-n", least=1)]


@app.callback(invoke_without_command=True)
def overview(context: typer.Context) -> None:
    """List the built-in synthetic corpora and the formats that can be read.

    Examples:

      regard data

      regard data list corpora/

      regard data sample builtin:ko-en:test -n 3

      regard data sample corpora/koen/train.tsv.gz --filter "source != bible"

      regard data write builtin:ko-en:train --rows 1000 --out "corpus/train.{column}" --columns ko,en
    """
    if context.invoked_subcommand is not None:
        return
    from regard.config.data import ENDINGS
    from regard.data.builtin import COLUMNS

    typer.echo("Built-in synthetic corpora, or worlds (any number of rows; parts train, dev, test):")
    for world, meaning in WORLDS.items():
        typer.echo(f"  builtin:{world:<10} {meaning}")
        typer.echo(f"  {'':<18} columns: {', '.join(COLUMNS[world])}")
    typer.echo(f"Files, each also with .gz: {', '.join(ENDINGS)}; KIND:- is stdin.")
    typer.echo("Also: parallel plain files, and data sets of the Hugging Face hub as hub:owner/name.")
    typer.echo("More: regard data list FOLDER | sample CORPUS | write CORPUS --out FILE | cache")


@app.command("list")
def list_folder(
    folder: Annotated[Path, argument("FOLDER", "A folder with files of data.")],
) -> None:
    """List the files of a folder that can be read, with their rows and columns."""
    from regard.cli.tables import print_table
    from regard.config.data import ENDINGS

    if not folder.is_dir():
        raise DataError(f"{folder}: expected a folder")
    endings = tuple(end + gz for end in ENDINGS for gz in ("", ".gz"))
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name.endswith(endings))
    if not files:
        raise DataError(f"{folder}: no file in it ends in {', '.join(ENDINGS)} (or with .gz)")
    table = []
    for path in files:
        try:
            rows = _open(str(path), None, "")
            good = bad = 0
            for row in rows:
                good, bad = (good + 1, bad) if _is_good(row) else (good, bad + 1)
            columns = ", ".join(rows.columns)
            table.append([str(path.relative_to(folder)), f"{good:,}", f"{bad:,}" if bad else "", columns])
        except RegardError as error:
            table.append([str(path.relative_to(folder)), "", "", str(error).removeprefix(f"{path}")])
    print_table(["file", "rows", "bad", "columns"], table)


@app.command()
def sample(
    corpus: Corpus,
    rows: Rows_ = 5,
    seed: Annotated[int, option("N", "Another seed draws other rows.")] = 1,
    columns: Columns = "",
    conditions: Filter = None,
    as_json: AsJson = False,
) -> None:
    """Print rows of a corpus, drawn at random."""

    found = _open(corpus, conditions, columns)
    drawn, total, bad = draw(found, rows or 5, seed=seed)
    for row in drawn:
        where = f"{found.name}:{row.number}"
        if as_json:
            values = dict(zip(found.columns, row.cells, strict=True))
            typer.echo(json.dumps({"where": where, **values}, ensure_ascii=False))
            continue
        typer.echo(where)
        for column, cell in zip(found.columns, row.cells, strict=True):
            typer.echo(f"  {column}: {cell if isinstance(cell, str) else ' '.join(cell)}")
    skipped = f"; {counted(bad, 'row')} cannot be read, see `regard doctor`" if bad else ""
    typer.echo(f"{len(drawn)} of {counted(total, 'row')}{skipped}", err=True)


@app.command()
def write(
    corpus: Corpus,
    out: Annotated[
        str,
        option(
            "FILE",
            "A .tsv, .csv, .jsonl, .txt, .conll (.gz); {column} in the name makes one plain file a column.",
            "--out",
            "-o",
        ),
    ],
    rows: Rows_ = None,
    columns: Columns = "",
    conditions: Filter = None,
) -> None:
    """Write rows of a corpus to a file, in the format that its name ends in."""

    from regard.data.rows import BadRows
    from regard.data.writers import write_rows

    found = _open(corpus, conditions, columns, rows)
    good = track(BadRows(None).good(found), "writing", total=rows)
    count = write_rows(islice(good, rows), found.columns, out)
    typer.echo(f"{out}: {counted(count, 'row')} of {', '.join(found.columns)}")


@app.command()
def cache(
    clear: Annotated[bool, switch("Remove everything from it.", "--clear")] = False,
) -> None:
    """Show what is kept of encoded corpora and vocabularies, and where."""
    from regard.data.cache import cache_folder, clear_cache, entries

    if clear:
        typer.echo(f"{cache_folder()}: {clear_cache() / 1e6:,.1f} MB removed")
        return
    kept = entries()
    for entry in kept:
        typer.echo(f"{entry.bytes / 1e6:10,.1f} MB  {entry.path.relative_to(cache_folder())}")
    total = sum(entry.bytes for entry in kept) / 1e6
    typer.echo(
        f"{cache_folder()}: {counted(len(kept), 'entry', 'entries')}, {total:,.1f} MB; --clear removes them"
    )


def _open(corpus: str, conditions: list[str] | None, columns: str, rows: int | None = None) -> "Rows":
    """The rows of a corpus in its short form, of some columns."""
    from regard.config.load import corpus_from_short_form
    from regard.data.readers import choose_columns, open_rows

    section = corpus_from_short_form(corpus, conditions or [], rows)
    found = open_rows(section, split="train")
    wanted = [name.strip() for name in columns.split(",") if name.strip()]
    return choose_columns(found, wanted) if wanted else found


def _is_good(row: object) -> bool:
    from regard.data.rows import Row

    return isinstance(row, Row)


def draw(rows: Rows, count: int, *, seed: int) -> tuple[list[Row], int, int]:
    """Some rows in the order of the corpus, each as likely as any other; how many there are, how many bad.

    One pass, and no more rows in memory than were asked for (reservoir sampling).
    """
    dice = random.Random(seed)
    kept: list[Row] = []
    total = bad = 0
    for row in rows:
        if not isinstance(row, Row):
            bad += 1
            continue
        total += 1
        if len(kept) < count:
            kept.append(row)
        elif (place := dice.randrange(total)) < count:
            kept[place] = row
    return sorted(kept), total, bad
