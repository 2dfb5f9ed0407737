"""Pairs of texts, with a score or a label where they have one, from the rows of a corpus."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

from regard.config.data import OneCorpus
from regard.config.embedding import TextPairsConfig
from regard.data.pairs import Pair
from regard.data.rows import CellKind, cell_text
from regard.data.schema import Cells, Reader, Schema

PairLabel = Literal["number", "label"]
"""What a pair has: a similarity score, or a label."""


@dataclass(frozen=True, slots=True)
class TextPair(Pair):
    """A text (the source), a second one, and their score or label (the target), empty where there is none."""

    second: str = ""
    """The second text; a positive, where there are no labels."""
    negative: str | None = None
    """A text that does not belong to the first, where one is given."""

    @property
    def texts(self) -> tuple[str, str]:
        """Both."""
        return self.source, self.second

    @property
    def line(self) -> str:
        """All that a model is evaluated on."""
        return "\t".join([*self.texts, self.target])

    @property
    def sides(self) -> tuple[str, ...]:
        """The texts, and their score or label."""
        return *self.texts, *filter(None, (self.negative, self.target))


def text_pair_schema(
    data: TextPairsConfig, part: OneCorpus, split: str, *, said: PairLabel | None, negative: bool = False
) -> Schema[TextPair]:
    """Two texts.

    said:     what is read of them beside their texts
    negative: with the text that does not belong to the first, where the recipe names one
    """
    del part, split
    column = None if said is None else data.label if said == "label" else data.score
    columns: dict[str, CellKind] = {data.text: "text", data.second: "text"}
    if said is not None and column is not None:
        columns[column] = said
    if negative and data.negative is not None:
        columns[data.negative] = "text"
    places = {name: place for place, name in enumerate(columns)}

    def make(cells: Cells, where: str, more: Cells) -> TextPair:
        told = "" if column is None else cell_text(cells[places[column]])
        first, second = str(cells[places[data.text]]), str(cells[places[data.second]])
        other = str(cells[places[data.negative]]) if negative and data.negative is not None else None
        return TextPair(first, told, where, None, more, second, other)

    return Schema(columns, make)


def scored_schema(data: TextPairsConfig, part: OneCorpus, split: str) -> Schema[TextPair]:
    """Two texts, and how near they are, where the recipe names a column of that."""
    return text_pair_schema(data, part, split, said=None if data.score is None else "number")


def text_pair_reader(said: PairLabel | None) -> Reader[TextPairsConfig, TextPair]:
    """A reader of pairs, with their scores or labels."""
    return Reader(partial(text_pair_schema, said=said))
