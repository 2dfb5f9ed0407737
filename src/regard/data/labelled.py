"""Texts with their labels from the rows of a corpus."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regard.config.classification import LabelledConfig
from regard.config.data import BuiltinCorpus, Corpus
from regard.data.bad_rows import BadRows
from regard.data.checks import CellKind
from regard.data.pairs import Pair
from regard.data.readers import open_rows, parts_of

_CARRIERS = "carriers"


@dataclass(frozen=True, slots=True)
class LabelledText(Pair):
    """A text (the source) and its label (the target)."""

    carriers: frozenset[int] | None = None
    """Which words of the text decide the label, counted from 0, where that is known."""


def labelled_columns(data: LabelledConfig) -> dict[str, CellKind]:
    """The columns that a labelled text is made of."""
    return {data.text: "text", data.label: "label"}


def read_labelled(
    corpus: Corpus,
    data: LabelledConfig,
    *,
    split: str,
    bad: BadRows | None = None,
    more: Sequence[str] = (),
) -> Iterator[LabelledText]:
    """The labelled texts of a corpus, all parts of a mix one after the other.

    split: what the corpus is named for in the recipe
    bad:   what to do with bad rows; by default, what the recipe says
    more:  further columns, taken as they are
    """
    policy = bad or BadRows.of(data)
    for part in parts_of(corpus):
        knows_words = isinstance(part, BuiltinCorpus) and part.world == "sentiment"
        wanted = labelled_columns(data)
        others = [*more, _CARRIERS] if knows_words else more
        rows = open_rows(part, wanted | {name: "any" for name in others if name not in wanted}, split=split)
        text, label = rows.columns.index(data.text), rows.columns.index(data.label)
        places = tuple(map(rows.columns.index, more))
        gold = rows.columns.index(_CARRIERS) if knows_words else None
        for row in policy.good(rows):
            carriers = None if gold is None else frozenset(map(int, str(row.cells[gold]).split()))
            cells = tuple(row.cells[place] for place in places)
            where = f"{rows.name}:{row.number}"
            yield LabelledText(str(row.cells[text]), str(row.cells[label]), where, None, cells, carriers)
