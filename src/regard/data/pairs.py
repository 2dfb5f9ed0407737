"""Sentence pairs from the rows of a corpus."""

from collections.abc import Sequence
from dataclasses import dataclass

from regard.config.data import BuiltinCorpus, DataConfig, OneCorpus, ParallelCorpus
from regard.data.alignments import (
    LINKS,
    POSSIBLE,
    SURE,
    AlignedRow,
    GoldCells,
    GoldLinks,
    Words,
    gold_columns,
    gold_links,
)
from regard.data.readers import open_rows
from regard.data.rows import Cell, CellKind
from regard.data.schema import Cells, Reader, Schema
from regard.errors import DataError


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
        return (), False
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
