"""Sentences of tagged words from the rows of a corpus."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from regard.config.data import OneCorpus, TextCorpus, TsvCorpus
from regard.config.tagging import TaggedConfig
from regard.data.pairs import Pair
from regard.data.readers import open_rows
from regard.data.rows import CellKind
from regard.data.schema import Cells, Reader, Schema
from regard.errors import DataError
from regard.text.labels import as_name
from regard.text.pretokenized import join_words


@dataclass(frozen=True, slots=True)
class TaggedSentence(Pair):
    """Words and their tags; the source has the words on a line, the target the tags."""

    words: tuple[str, ...] = ()
    """As the corpus gives them."""

    @property
    def tags(self) -> tuple[str, ...]:
        """One for each word."""
        return tuple(self.target.split(" "))

    @property
    def sides(self) -> tuple[str, ...]:
        """The words, the tags, and again the words: for their characters, or the counts of their pieces."""
        return self.source, self.target, self.source


def tag_line(tags: Sequence[str]) -> str:
    """Tags on a line; they are compared in NFC."""
    return join_words(map(as_name, tags))


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


def tagged_schema(data: TaggedConfig, part: OneCorpus, split: str) -> Schema[TaggedSentence]:
    """Words and their tags."""
    del split
    columns: dict[str, CellKind] = {data.text: "words", data.label: "words"}
    _check_layout(part, columns)
    return Schema(columns, _tagged)


def _tagged(cells: Cells, where: str, more: Cells) -> TaggedSentence:
    words, tags = map(tuple, cells)
    return TaggedSentence(join_words(words), tag_line(tags), where, None, more, words)


read_tagged = Reader(tagged_schema)
