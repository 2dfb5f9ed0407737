"""Two texts that belong together, with what is said of them where something is, from the rows of a corpus."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from regard.config.data import Corpus
from regard.config.embedding import TextPairsConfig
from regard.data.bad_rows import BadRows
from regard.data.checks import CellKind
from regard.data.pairs import Pair
from regard.data.readers import open_rows, parts_of
from regard.data.rows import cell_text

Said = Literal["number", "label"]
"""What is said of a pair: how near its texts are, or a label."""


@dataclass(frozen=True, slots=True)
class TextPair(Pair):
    """A text (the source) and what is said of it and its partner (the target); nothing where nothing is."""

    second: str = ""
    """The partner."""

    @property
    def texts(self) -> tuple[str, str]:
        """Both."""
        return self.source, self.second

    @property
    def line(self) -> str:
        """All that a model is measured on."""
        return "\t".join([*self.texts, self.target])


def said_column(data: TextPairsConfig, said: Said | None) -> str | None:
    """The column of what is said of pairs."""
    return None if said is None else data.label if said == "label" else data.score


def pair_columns(data: TextPairsConfig, said: Said | None) -> dict[str, CellKind]:
    """The columns that are read of pairs."""
    column = said_column(data, said)
    told: dict[str, CellKind] = {} if said is None or column is None else {column: said}
    return {data.text: "text", data.second: "text", **told}


def read_text_pairs(
    corpus: Corpus,
    data: TextPairsConfig,
    said: Said | None,
    *,
    split: str,
    bad: BadRows | None = None,
    more: Sequence[str] = (),
) -> Iterator[TextPair]:
    """The pairs of a corpus, all parts of a mix one after the other.

    said:  what is read of them beside their texts
    split: what the corpus is named for in the recipe
    bad:   what to do with bad rows; by default, what the recipe says
    more:  further columns, taken as they are
    """
    policy = bad or BadRows.of(data)
    column = said_column(data, said)
    for part in parts_of(corpus):
        wanted = pair_columns(data, said)
        rows = open_rows(part, wanted | {name: "any" for name in more if name not in wanted}, split=split)
        first, second = map(rows.columns.index, (data.text, data.second))
        target = None if column is None else rows.columns.index(column)
        places = tuple(map(rows.columns.index, more))
        for row in policy.good(rows):
            told = "" if target is None else cell_text(row.cells[target])
            cells = tuple(row.cells[place] for place in places)
            where = f"{rows.name}:{row.number}"
            yield TextPair(str(row.cells[first]), told, where, None, cells, str(row.cells[second]))
