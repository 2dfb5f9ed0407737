"""Texts, or pairs of them, with their labels, from the rows of a corpus."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from regard.config.classification import LabelledConfig
from regard.config.data import BuiltinCorpus, OneCorpus
from regard.data.pairs import Pair
from regard.data.rows import CellKind, cell_text
from regard.data.schema import Cells, Reader, Schema

_CARRIERS = "carriers"


@dataclass(frozen=True, slots=True)
class LabelledText(Pair):
    """A text (the source) and its label (the target): one, several of them, or a number."""

    second: str | None = None
    """What is read beside the text, where there are two."""
    carriers: frozenset[int] | None = None
    """The rationale: which words of the text decide the label, counted from 0, where that is known."""

    @property
    def texts(self) -> tuple[str, ...]:
        """What is read: one text, or two."""
        return (self.source,) if self.second is None else (self.source, self.second)

    @property
    def line(self) -> str:
        """All that a model learns from."""
        return "\t".join(self.sides)

    @property
    def sides(self) -> tuple[str, ...]:
        """The texts, and their labels."""
        return *self.texts, self.target


def text_columns(data: LabelledConfig) -> tuple[str, ...]:
    """The columns that are read."""
    return (data.text,) if data.second is None else (data.text, data.second)


def labelled_columns(data: LabelledConfig) -> dict[str, CellKind]:
    """The columns that a labelled text is made of."""
    return {**dict.fromkeys(text_columns(data), "text"), data.label: data.answer.kind}


def labelled_schema(data: LabelledConfig, part: OneCorpus, split: str) -> Schema[LabelledText]:
    """A text, or two, and its label."""
    del part, split
    return _schema(data, labelled_columns(data))


def explained_schema(data: LabelledConfig, part: OneCorpus, split: str) -> Schema[LabelledText]:
    """The same, with the rationale, where a corpus has it."""
    del split
    knows_words = isinstance(part, BuiltinCorpus) and part.world == "sentiment"
    carriers: dict[str, CellKind] = {_CARRIERS: "any"} if knows_words else {}
    return _schema(data, carriers | labelled_columns(data), carriers)


def _schema(
    data: LabelledConfig, columns: Mapping[str, CellKind], carriers: Collection[str] = ()
) -> Schema[LabelledText]:
    place = {name: number for number, name in enumerate(columns)}

    def make(cells: Cells, where: str, more: Cells) -> LabelledText:
        first, *others = (str(cells[place[name]]) for name in text_columns(data))
        second, said = others[0] if others else None, cell_text(cells[place[data.label]])
        known = frozenset(map(int, str(cells[place[_CARRIERS]]).split())) if carriers else None
        return LabelledText(first, said, where, None, more, second, known)

    return Schema(columns, make)


read_labelled = Reader(explained_schema)
