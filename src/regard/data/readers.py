"""Corpora as rows: tables, parallel files, built-in worlds.

A row that cannot be used stops the reading with `file:line: reason`.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from regard.config.data import BuiltinCorpus, DataConfig, ParallelCorpus, TsvCorpus
from regard.data.examples import Pair
from regard.data.lines import read_lines
from regard.data.world import pairs as world_pairs
from regard.errors import DataError, did_you_mean

DEFAULT_ROWS = {"train": 30_000, "dev": 1_000, "test": 1_000, "heldout": 1_000}


def read_pairs(
    corpus: BuiltinCorpus | TsvCorpus | ParallelCorpus, data: DataConfig, *, split: str
) -> Iterator[Pair]:
    """The rows of a corpus; `split` is what it is named for in the recipe."""
    match corpus:
        case BuiltinCorpus():
            return _read_world(corpus, data, corpus.split or split)
        case TsvCorpus():
            return _read_table(_path(corpus.path), data.source, data.target)
        case ParallelCorpus():
            return _read_parallel(_path(corpus.source_path), _path(corpus.target_path))


def _read_world(corpus: BuiltinCorpus, data: DataConfig, split: str) -> Iterator[Pair]:
    languages = (data.source, data.target)
    if languages not in (("ko", "en"), ("en", "ko")):
        raise DataError(
            f"builtin:{corpus.world} has the languages ko and en, "
            f"the recipe asks for {data.source} to {data.target}"
        )
    rows = corpus.rows or DEFAULT_ROWS[split]
    made = world_pairs(split, rows, max_words=corpus.max_words, lengths=corpus.lengths)
    for number, pair in enumerate(made, start=1):
        where = f"builtin:{corpus.world}:{split}:{number}"
        if languages == ("ko", "en"):
            yield Pair(pair.korean, pair.english, where, pair.links)
        else:
            yield Pair(pair.english, pair.korean, where, frozenset((e, k) for k, e in pair.links))


def _read_table(path: Path, source: str, target: str) -> Iterator[Pair]:
    lines = read_lines(path)
    where, header = next(lines, (str(path), ""))
    columns = header.split("\t")
    for name in (source, target):
        if name not in columns:
            hint = did_you_mean(name, columns)
            raise DataError(f"{where}: no column is called '{name}' in the header; {hint}")
    source_column, target_column = columns.index(source), columns.index(target)
    for where, line in lines:
        cells = line.split("\t")
        if len(cells) != len(columns):
            raise DataError(f"{where}: expected {len(columns)} columns as in the header, found {len(cells)}")
        yield _pair(cells[source_column], cells[target_column], where)


def _read_parallel(source: Path, target: Path) -> Iterator[Pair]:
    source_lines, target_lines = read_lines(source), read_lines(target)
    for where, source_line in source_lines:
        found = next(target_lines, None)
        if found is None:
            raise DataError(f"{where}: the source goes on, but {target} has ended; both need as many lines")
        yield _pair(source_line, found[1], where)
    if (extra := next(target_lines, None)) is not None:
        raise DataError(f"{extra[0]}: the target goes on, but {source} has ended; both need as many lines")


def _pair(source: str, target: str, where: str) -> Pair:
    for side, text in (("source", source), ("target", target)):
        if not text.strip():
            raise DataError(f"{where}: the {side} side is empty")
    return Pair(source, target, where)


def _path(written: str) -> Path:
    expanded = os.path.expandvars(written)
    if "$" in expanded:
        name = expanded[expanded.index("$") :].split("/")[0]
        raise DataError(f"{written}: the environment variable {name} is not set")
    try:
        return Path(expanded).expanduser()
    except RuntimeError:
        raise DataError(f"{written}: there is no such user") from None
