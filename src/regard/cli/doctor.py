"""regard doctor: what is wrong with a corpus, and a clean copy of it."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.options import AsJson, Quiet, argument, option, switch
from regard.errors import ConfigError, StoreError
from regard.progress import say

if TYPE_CHECKING:
    from regard.text.tokenizer import Tokenizer


def doctor(
    files: Annotated[
        list[str],
        argument(
            "FILE",
            "Files (.tsv .csv .jsonl .conllu .conll .txt, plain or .gz; KIND:- is stdin), folders with "
            "train, dev and test, builtin:WORLD:SPLIT. train.ko train.en are two sides of one text.",
        ),
    ],
    source: Annotated[str, option("COLUMN", "The column of the one language.")] = "",
    target: Annotated[str, option("COLUMN", "The column of the other language.")] = "",
    text: Annotated[str, option("COLUMN", "Without a translation: the column of the text.")] = "",
    second: Annotated[str, option("COLUMN", "Of pairs: that of the second text.")] = "",
    label: Annotated[str, option("COLUMN", "The column of the label.")] = "",
    names: Annotated[
        str, option("NAME,NAME", "Names of the columns of tables without a header row, separated by commas.")
    ] = "",
    parallel: Annotated[
        bool, switch("Plain files are sides, two by two, whatever they are called.", "--parallel")
    ] = False,
    one_side: Annotated[
        bool, switch("Each plain file is a text of its own, even train.ko train.en.", "--one-side")
    ] = False,
    fix: Annotated[
        Path | None, option("FOLDER", "Write a clean copy into this new folder, and a log of every change.")
    ] = None,
    drop: Annotated[
        str,
        option("CHECK,CHECK", "With --fix: drop training rows for these checks, too, such as length-ratio."),
    ] = "",
    model: Annotated[
        Path | None, option("MODEL", "Use the vocabulary of this model instead of a new one.")
    ] = None,
    checks: Annotated[str, option("CHECK,CHECK", "Make these checks only, separated by commas.")] = "",
    skip: Annotated[str, option("CHECK,CHECK", "Leave these checks out; --fix does nothing for them.")] = "",
    examples: Annotated[int, option("N", "Examples of each finding.", least=0, most=1000)] = 3,
    strict: Annotated[bool, switch("Exit code 1 if there are errors.", "--strict")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Say what is wrong with a corpus before hours are spent on it, and write a clean copy.

    Examples:

      regard doctor corpora/koen

      regard doctor train.tsv.gz test.tsv.gz --source ko --target en --fix clean

      regard doctor train.ko train.en dev.ko dev.en --json

      regard doctor reviews.csv --text review --label stars --skip single-jamo
    """
    from regard.doctor.catalogue import droppable, selected_checks
    from regard.doctor.diagnose import examine
    from regard.doctor.fix import check_out, write_clean_copy
    from regard.doctor.guess import Asked
    from regard.doctor.inputs import inputs_of

    if drop and fix is None:
        raise ConfigError("--drop says what --fix drops; say where to, with --fix")
    if fix is not None:
        check_out(fix)
    dropped = droppable(_listed(drop))
    asked = Asked(source, target, text, second, label)
    examination = examine(
        inputs_of(files, parallel=parallel, one_side=one_side, names=_listed(names), languages=asked.sides()),
        asked,
        checks=selected_checks(_listed(checks), _listed(skip)),
        examples=examples,
        tokenizers=_tokenizers(model) if model else None,
        quiet=quiet,
    )
    report = examination.report
    typer.echo(json.dumps(report.to_dict(), ensure_ascii=False) if as_json else report.to_text(), nl=as_json)
    if fix is not None:
        fixed = write_clean_copy(examination, fix, dropped, quiet=quiet)
        for name in fixed.left_out:
            say(f"{name}: not rewritten: --fix writes tables, JSON lines and plain text")
        log = fix / "changes.jsonl"
        say(f"{fix}: rows repaired {fixed.repaired:,}, dropped {fixed.dropped:,}; see {log}")
    if strict and report.has_errors():
        raise typer.Exit(1)


def _listed(written: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in written.split(",") if name.strip())


def _tokenizers(model: Path) -> "dict[str, Tokenizer]":
    """The vocabularies of a model by the columns that they are for, such as two languages."""
    from regard.store.folder import read_model
    from regard.text.tokenizer import Tokenizer

    stored = read_model(model)
    made: dict[str, Tokenizer] = {}
    for side in stored.recipe.vectors.sources:  # each vocabulary is of the column that its name stands for
        language = getattr(stored.recipe.data, side)
        text = stored.tokenizers.get(side, stored.tokenizers.get("joint"))
        if text is None:
            raise StoreError(f"{model}: the tokenizer of the {side} is missing")
        made[language] = Tokenizer.from_json(text, str(model))
    return made
