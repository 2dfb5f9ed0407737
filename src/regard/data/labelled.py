"""Texts, or pairs of them, with what is said of each, from the rows of a corpus."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regard.config.classification import LabelledConfig
from regard.config.data import BuiltinCorpus, Corpus
from regard.data.bad_rows import BadRows
from regard.data.checks import CellKind
from regard.data.pairs import Pair
from regard.data.readers import open_rows, parts_of
from regard.data.rows import cell_text

_CARRIERS = "carriers"


@dataclass(frozen=True, slots=True)
class LabelledText(Pair):
    """A text (the source) and what is said of it (the target): a label, several of them, or a number."""

    second: str | None = None
    """What is read beside the text, where there are two."""
    carriers: frozenset[int] | None = None
    """Which words of the text decide the label, counted from 0, where that is known."""

    @property
    def texts(self) -> tuple[str, ...]:
        """What is read: one text, or two."""
        return (self.source,) if self.second is None else (self.source, self.second)

    @property
    def line(self) -> str:
        """All that a model learns from."""
        return "\t".join([*self.texts, self.target])


def text_columns(data: LabelledConfig) -> tuple[str, ...]:
    """The columns that are read."""
    return (data.text,) if data.second is None else (data.text, data.second)


def labelled_columns(data: LabelledConfig) -> dict[str, CellKind]:
    """The columns that a labelled text is made of."""
    return {**dict.fromkeys(text_columns(data), "text"), data.label: data.answer.kind}


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
        *texts, label = map(rows.columns.index, (*text_columns(data), data.label))
        places = tuple(map(rows.columns.index, more))
        gold = rows.columns.index(_CARRIERS) if knows_words else None
        for row in policy.good(rows):
            carriers = None if gold is None else frozenset(map(int, str(row.cells[gold]).split()))
            cells = tuple(row.cells[place] for place in places)
            where = f"{rows.name}:{row.number}"
            first, *others = (str(row.cells[place]) for place in texts)
            second, said = others[0] if others else None, cell_text(row.cells[label])
            yield LabelledText(first, said, where, None, cells, second, carriers)
