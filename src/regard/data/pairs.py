"""Sentence pairs from the rows of a corpus."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regard.config.data import BuiltinCorpus, Corpus, DataConfig, OneCorpus
from regard.data.bad_rows import BadRows
from regard.data.checks import CellKind
from regard.data.readers import open_rows, parts_of
from regard.data.rows import Cell, Rows
from regard.text.words import Links

_LINKS = "links"


@dataclass(frozen=True, slots=True)
class Pair:
    """A text and what belongs to it: its translation, or its label."""

    source: str
    target: str
    where: str
    """`file:line`, or the place in a built-in world."""
    links: Links | None = None
    """Which words belong together, where that is known."""
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
) -> Iterator[Pair]:
    """The pairs of a corpus, all parts of a mix one after the other.

    split: what the corpus is named for in the recipe
    bad:   what to do with bad rows; by default, what the recipe says
    more:  further columns, taken as they are
    """
    policy = bad or BadRows.of(data)
    for part in parts_of(corpus):
        rows = _with_links(part, data, split, more)
        source, target = rows.columns.index(data.source), rows.columns.index(data.target)
        places = tuple(map(rows.columns.index, more))
        gold = rows.columns.index(_LINKS) if _has_links(part, data) else None
        turned = source > target  # the links of a world lead from its first language to its second
        for row in policy.good(rows):
            links = _links(str(row.cells[gold]), turned=turned) if gold is not None else None
            cells = tuple(row.cells[place] for place in places)
            yield Pair(
                str(row.cells[source]), str(row.cells[target]), f"{rows.name}:{row.number}", links, cells
            )


def _with_links(part: OneCorpus, data: DataConfig, split: str, more: Sequence[str]) -> Rows:
    wanted = pair_columns(data)
    if _has_links(part, data):
        wanted = {"ko": "text", "en": "text", _LINKS: "text"}
    return open_rows(part, wanted | {name: "any" for name in more if name not in wanted}, split=split)


def _has_links(part: OneCorpus, data: DataConfig) -> bool:
    own_languages = {data.source, data.target} == {"ko", "en"}
    return isinstance(part, BuiltinCorpus) and part.world == "ko-en" and own_languages


def _links(text: str, *, turned: bool) -> Links:
    links = (link.split("-") for link in text.split())
    return frozenset((int(b), int(a)) if turned else (int(a), int(b)) for a, b in links)
