"""Sentence pairs that a command reads: rows of a corpus, or lines with a tab in them."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from regard.cli.lines import BadLine, Source, open_input
from regard.cli.streaming import Lines, parsed
from regard.errors import ConfigError, DataError
from regard.progress import counted

if TYPE_CHECKING:
    from regard.config.data import Corpus, OneCorpus
    from regard.config.load import Setting
    from regard.data.rows import CellKind
    from regard.tasks.translation.predictor import Translator

_CORPORA = ("builtin:", "hub:", "tsv:", "csv:", "jsonl:", "text:", "conllu:", "columns:", "{")
_TEXTS = (".txt", ".text")


def open_corpus(data: str) -> Source:
    """A corpus by the names that a recipe has for one; anything else as every command reads it."""
    from regard.config.data import ENDINGS

    if data.startswith(_CORPORA):
        return Source(data, "corpus")
    source = open_input(data)
    is_corpus = source.kind == "file" and data.lower().removesuffix(".gz").endswith(tuple(ENDINGS))
    return Source(data, "corpus") if is_corpus else source


def open_pairs(data: str, targets: str | None) -> Source:
    """The same, but a plain text has pairs on its lines; or two text files, line i beside line i."""
    if targets is None:
        return open_input(data) if data.lower().removesuffix(".gz").endswith(_TEXTS) else open_corpus(data)
    for file in (data, targets):
        if open_input(file).kind != "file":
            raise ConfigError(f"{file[:40]}: expected two files, sources and targets, line i beside line i")
    return Source(json.dumps({"kind": "parallel", "source_path": data, "target_path": targets}), "corpus")


def test_corpus(source: Source) -> "Setting":
    """A setting that makes a corpus, by its name or as a section of a recipe, the test set."""
    return f"data.test={source.given}" if source.given.startswith("{") else ("data.test", source.given)


def pair_lines(
    source: Source,
    translator: "Translator",
    *,
    quiet: bool,
    otherwise: str = "",
    columns: "Sequence[Setting]" = (),
    empty: bool = False,
) -> "Lines[tuple[str, str]]":
    """Sources and targets with their places.

    otherwise: what else can be done with lines that are no pairs
    columns:   settings that name the columns of a corpus otherwise than the recipe does
    empty:     whether a pair may have an empty side; an empty line has two
    """
    from regard.config.load import with_settings

    if source.kind != "corpus":
        lines = source.lines("a source, a tab and a target on each line", quiet=quiet)
        return parsed(
            lines,
            lambda line, where: (
                ("", "") if empty and not line.strip() else _from_line(line, where, otherwise)
            ),
        )
    data = with_settings(translator.recipe, [test_corpus(source), *columns]).data
    kind: CellKind = "any" if empty else "text"
    rows = corpus_rows(data.test, source, lambda _: [data.source, data.target], kind)
    return ((row if isinstance(row, BadLine) else (row[0], (row[1][0], row[1][1]))) for row in rows)


def _from_line(line: str, where: str, otherwise: str) -> tuple[str, str]:
    cells = line.split("\t")
    if len(cells) != 2:
        raise DataError(
            f"{where}: expected a source and a target with a tab between them, "
            f"found {counted(len(cells), 'column')}; name a file if it has a header or other columns"
            f"{otherwise}"
        )
    return cells[0], cells[1]


def corpus_rows(
    corpus: "Corpus | None",
    source: Source,
    columns: "Callable[[OneCorpus], list[str]]",
    kind: "CellKind" = "text",
) -> Iterator[tuple[str, list[str]] | BadLine]:
    """The cells of some columns with their places, and the rows that cannot be used."""
    from regard.data.readers import open_rows, parts_of
    from regard.data.rows import BadRow

    if corpus is None:
        raise DataError(f"{source.given}: expected the name of a corpus, found none")
    for part in parts_of(corpus):
        rows = open_rows(part, dict.fromkeys(columns(part), kind), split="test")
        for row in rows:
            where = f"{rows.name}:{row.number}"
            yield BadLine(where, row.reason) if isinstance(row, BadRow) else (where, [*map(str, row.cells)])
