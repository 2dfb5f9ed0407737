"""Plain sentences from the rows of a corpus: what a language model learns from."""

from collections.abc import Iterator, Sequence

from regard.config.data import Corpus, TextCorpus
from regard.config.language import SentencesConfig
from regard.config.masked_language_model import SequencesConfig
from regard.data.bad_rows import BadRows
from regard.data.checks import CellKind
from regard.data.pairs import Pair
from regard.data.plain import PLAIN_COLUMN
from regard.data.readers import open_rows, parts_of


def sentence_column(corpus: Corpus, data: SentencesConfig | SequencesConfig) -> str:
    """The column that is read: that of the recipe, but plain text has no other than its own."""
    plain = all(isinstance(part, TextCorpus) for part in parts_of(corpus))
    return PLAIN_COLUMN if plain else data.text


def read_sentences(
    corpus: Corpus,
    data: SentencesConfig,
    *,
    split: str,
    bad: BadRows | None = None,
    more: Sequence[str] = (),
) -> Iterator[Pair]:
    """The sentences of a corpus, all parts of a mix one after the other; nothing belongs to them.

    split: what the corpus is named for in the recipe
    bad:   what to do with bad rows; by default, what the recipe says
    more:  further columns, taken as they are
    """
    policy = bad or BadRows.of(data)
    for part in parts_of(corpus):
        column = sentence_column(part, data)
        wanted: dict[str, CellKind] = dict.fromkeys(more, "any")
        rows = open_rows(part, {**wanted, column: "text"}, split=split)
        text, places = rows.columns.index(column), tuple(map(rows.columns.index, more))
        for row in policy.good(rows):
            cells = tuple(row.cells[place] for place in places)
            yield Pair(str(row.cells[text]), "", f"{rows.name}:{row.number}", None, cells)
