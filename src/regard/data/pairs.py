"""Sentence pairs from the rows of a corpus."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from regard.config.data import BuiltinCorpus, DataConfig, OneCorpus, ParallelCorpus
from regard.data.alignments import (
    FORMS,
    LINKS,
    POSSIBLE,
    SURE,
    AlignedRow,
    GoldCells,
    GoldLinks,
    Words,
    counts_words,
    gold_columns,
    gold_links,
    read_links,
)
from regard.data.lines import display_name
from regard.data.readers import open_rows, parts_of
from regard.data.rows import Cell, CellKind, Row
from regard.data.schema import Cells, Reader, Schema
from regard.errors import DataError
from regard.text.token_links import TokenLinkIds


@dataclass(frozen=True, slots=True)
class Pair:
    """A text and what belongs to it: its translation, or its label."""

    source: str
    target: str
    where: str
    """`file:line`, or the place in a built-in world."""
    links: GoldCells | None = None
    """Which words belong together, where the corpus says that; `gold_links` reads it."""
    more: tuple[Cell, ...] = ()
    """The cells of further columns that were asked for."""

    @classmethod
    def of_cells(cls, cells: Cells, where: str, more: Cells) -> "Pair":
        """What two cells of a row are."""
        return cls(str(cells[0]), str(cells[1]), where, None, more)

    @property
    def line(self) -> str:
        """All that a model learns from."""
        return f"{self.source}\t{self.target}"

    @property
    def sides(self) -> tuple[str, ...]:
        """The texts that are encoded, each by an encoder of its own."""
        return self.source, self.target


def pair_schema(data: DataConfig, part: OneCorpus, split: str) -> Schema[Pair]:
    """Source and target."""
    del part, split

    return Schema({data.source: "text", data.target: "text"}, Pair.of_cells)


def aligned_schema(data: DataConfig, part: OneCorpus, split: str) -> Schema[Pair]:
    """Source and target, with the gold alignments, where a corpus has some."""
    names, turned = _gold_columns(part, data, split)
    if not names:
        return pair_schema(data, part, split)
    words: Words | None = "word" if isinstance(part, BuiltinCorpus) else None

    def make(cells: Cells, where: str, more: Cells) -> Pair:
        source, target, *links = cells
        gold = GoldCells(tuple(zip(names, links, strict=True)), turned, words)
        return Pair(str(source), str(target), where, gold, more)

    aligned: dict[str, CellKind] = dict.fromkeys(names, "any")
    return Schema({data.source: "text", data.target: "text", **aligned}, make)


read_pairs = Reader(aligned_schema)


@dataclass(frozen=True, slots=True)
class LinkedPair(Pair):
    """A pair to learn from, with the links between its words."""

    @property
    def sides(self) -> tuple[str, ...]:
        """Source, target, and both again with their links, where there are any."""
        gold = self.links
        found = None
        if gold is not None and gold.words is not None:
            found = read_links(gold, self.source, self.target, gold.words)
        if found is None:
            return self.source, self.target, ""
        return self.source, self.target, TokenLinkIds.cell(self.source, self.target, found.sure, found.words)


def linked_schema(data: DataConfig, part: OneCorpus, split: str) -> Schema[LinkedPair]:
    """Source and target with the links between their words; a row whose links cannot be is a bad one.

    What links count is decided as for a test set: `gold_links`. So a corpus that does not say it is read
    once more, up to a row that shows it.
    """
    names, turned = _gold_columns(part, data, split)
    aligned: dict[str, CellKind] = dict.fromkeys(names, "any")
    columns: dict[str, CellKind] = {data.source: "text", data.target: "text", **aligned}

    @cache
    def words() -> Words:
        if isinstance(part, BuiltinCorpus):
            return "word"
        rows = (row.cells for row in open_rows(part, columns, split=split) if isinstance(row, Row))
        shown = any(counts_words(gold(cells), str(cells[0]), str(cells[1])) for cells in rows)
        return "word" if shown else "token"

    def gold(cells: Cells, counted: Words | None = None) -> GoldCells:
        return GoldCells(tuple(zip(names, cells[2:], strict=True)), turned, counted)

    def make(cells: Cells, where: str, more: Cells) -> LinkedPair:
        own = gold(cells, words()) if names else None
        return LinkedPair(str(cells[0]), str(cells[1]), where, own, more)

    def check(cells: Cells) -> object:
        try:
            return read_links(gold(cells), str(cells[0]), str(cells[1]), words())
        except ValueError as error:  # of two text files, a row is named by the line of the first
            links_path: str | None = getattr(part, "links_path", None)
            raise ValueError(f"{display_name(links_path)}: {error}" if links_path else str(error)) from None

    return Schema(columns, make, check=check if names else None)


def check_linked(data: DataConfig) -> None:
    """Refuse training data without word alignments, before anything is learned."""
    if not any(_gold_columns(part, data, "train")[0] for part in parts_of(data.train)):
        raise DataError(
            "training.guided_alignment: expected word alignments in data.train, found none; they are "
            f"{FORMS}; of two text files, a third, links_path"
        )


def pair_links(pairs: Sequence[Pair]) -> list[GoldLinks | None]:
    """The alignments that pairs have, those of each file by themselves; None where nobody aligned one."""
    files: dict[str, list[int]] = {}
    for row, pair in enumerate(pairs):
        files.setdefault(pair.where.rpartition(":")[0], []).append(row)
    found: list[GoldLinks | None] = [None] * len(pairs)
    for rows in files.values():
        own = [AlignedRow(one.source, one.target, one.where, one.links) for one in (pairs[r] for r in rows)]
        for row, links in zip(rows, gold_links(own), strict=True):
            found[row] = links
    return found


def _gold_columns(part: OneCorpus, data: DataConfig, split: str) -> tuple[Sequence[str], bool]:
    """The columns of the alignment, and whether it leads from the target to the source."""
    if isinstance(part, ParallelCorpus):
        return ((LINKS,) if part.links_path is not None else ()), False
    try:
        rows = open_rows(part, split=split)
    except DataError:
        return (), False  # whoever reads the rows says what is wrong with them, or passes over a bad one
    called = getattr(part, "names", {})
    ours = {called.get(name, name): name for name in (data.source, data.target, LINKS, SURE, POSSIBLE)}
    there = [ours[column] for column in rows.columns if column in ours]
    gold = tuple(name for name in gold_columns(there, rows.name) if name not in (data.source, data.target))
    if not gold or not {data.source, data.target} <= {*there}:
        return (), False
    return gold, there.index(data.source) > there.index(data.target)
