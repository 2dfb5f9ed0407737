"""Sentence pairs from the rows of a corpus."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regard.config.data import BuiltinCorpus, Corpus, DataConfig, OneCorpus, ParallelCorpus
from regard.data.bad_rows import BadRows
from regard.data.checks import CellKind
from regard.data.links import LINKS, POSSIBLE, SURE, GoldCells, Words, gold_columns
from regard.data.readers import open_rows, parts_of
from regard.data.rows import Cell
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

    @property
    def line(self) -> str:
        """All that a model learns from."""
        return f"{self.source}\t{self.target}"


def pair_columns(data: DataConfig) -> dict[str, CellKind]:
    """The columns that a pair is made of."""
    return {data.source: "text", data.target: "text"}


def read_pairs(
    corpus: Corpus,
    data: DataConfig,
    *,
    split: str,
    bad: BadRows | None = None,
    more: Sequence[str] = (),
    links: bool = True,
) -> Iterator[Pair]:
    """The pairs of a corpus, all parts of a mix one after the other.

    split: what the corpus is named for in the recipe
    bad:   what to do with bad rows; by default, what the recipe says
    more:  further columns, taken as they are
    links: with the gold alignments, where a corpus has some
    """
    policy = bad or BadRows.of(data)
    for part in parts_of(corpus):
        gold, turned = _gold_columns(part, data, split) if links else ((), False)
        wanted = pair_columns(data)
        wanted |= {name: "any" for name in (*gold, *more) if name not in wanted}
        rows = open_rows(part, wanted, split=split)
        source, target = rows.columns.index(data.source), rows.columns.index(data.target)
        places = tuple(map(rows.columns.index, more))
        aligned = tuple((name, rows.columns.index(name)) for name in gold)
        words: Words | None = "word" if isinstance(part, BuiltinCorpus) else None
        for row in policy.good(rows):
            own = GoldCells(tuple((name, row.cells[place]) for name, place in aligned), turned, words)
            yield Pair(
                str(row.cells[source]),
                str(row.cells[target]),
                f"{rows.name}:{row.number}",
                own if aligned else None,
                tuple(row.cells[place] for place in places),
            )


def _gold_columns(part: OneCorpus, data: DataConfig, split: str) -> tuple[tuple[str, ...], bool]:
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
