"""Sentences of tagged words from the rows of a corpus."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from regard.config.data import Corpus, OneCorpus, TextCorpus, TsvCorpus
from regard.config.tagging import TaggedConfig
from regard.data.bad_rows import BadRows
from regard.data.checks import CellKind
from regard.data.pairs import Pair
from regard.data.readers import open_rows, parts_of
from regard.errors import DataError
from regard.text.given import line_of
from regard.text.labels import as_name


@dataclass(frozen=True, slots=True)
class TaggedSentence(Pair):
    """Words and their tags; the source has the words on a line, the target the tags."""

    words: tuple[str, ...] = ()
    """As the corpus gives them."""

    @property
    def tags(self) -> tuple[str, ...]:
        """One for each word."""
        return tuple(self.target.split(" "))


def tagged_columns(data: TaggedConfig) -> dict[str, CellKind]:
    """The columns that a tagged sentence is made of."""
    return {data.text: "words", data.label: "words"}


def tag_line(tags: Sequence[str]) -> str:
    """Tags on a line; they are compared in NFC."""
    return line_of(map(as_name, tags))


def _check_layout(part: OneCorpus, wanted: Mapping[str, CellKind]) -> None:
    """Words below each other are often in a file that is named as a table, or as plain text."""
    if not isinstance(part, TsvCorpus | TextCorpus):
        return
    columns = open_rows(part).columns
    missing = next((name for name in wanted if part.names.get(name, name) not in columns), None)
    if missing is not None:
        raise DataError(
            f"{part.path}: no column is called '{missing}', only {', '.join(columns)}; a file with a word "
            f"and its tag on each line is named columns:{part.path}, or ends in .conll"
        )


def read_tagged(
    corpus: Corpus,
    data: TaggedConfig,
    *,
    split: str,
    bad: BadRows | None = None,
    more: Sequence[str] = (),
) -> Iterator[TaggedSentence]:
    """The tagged sentences of a corpus, all parts of a mix one after the other.

    split: what the corpus is named for in the recipe
    bad:   what to do with bad rows; by default, what the recipe says
    more:  further columns, taken as they are
    """
    policy = bad or BadRows.of(data)
    wanted = tagged_columns(data)
    for part in parts_of(corpus):
        _check_layout(part, wanted)
        rows = open_rows(part, wanted | {name: "any" for name in more if name not in wanted}, split=split)
        places = tuple(map(rows.columns.index, more))
        for row in policy.good(rows):
            words, tags = (tuple(row.cells[rows.columns.index(name)]) for name in wanted)
            cells = tuple(row.cells[place] for place in places)
            where = f"{rows.name}:{row.number}"
            yield TaggedSentence(line_of(words), tag_line(tags), where, None, cells, words)
