"""Plain text from the rows of a corpus: what a language model, or a masked one, learns from."""

from regard.config.data import Corpus, OneCorpus, TextCorpus
from regard.config.language import SentencesConfig
from regard.config.masked_language_model import SequencesConfig
from regard.data.pairs import Pair
from regard.data.readers import PLAIN_COLUMN, parts_of
from regard.data.schema import Cells, Reader, Schema


def sentence_column(corpus: Corpus, data: SentencesConfig | SequencesConfig) -> str:
    """The column that is read: that of the recipe, but plain text has no other than its own."""
    plain = all(isinstance(part, TextCorpus) for part in parts_of(corpus))
    return PLAIN_COLUMN if plain else data.text


def sentence_schema(data: SentencesConfig, part: OneCorpus, split: str) -> Schema[Pair]:
    """A sentence; nothing belongs to it."""
    del split

    def make(cells: Cells, where: str, more: Cells) -> Pair:
        return Pair(str(cells[0]), "", where, None, more)

    return Schema({sentence_column(part, data): "text"}, make)


def plain_schema(data: SequencesConfig, part: OneCorpus, split: str) -> Schema[Pair]:
    """A row of running text; the target is the number of its line."""
    del split

    def make(cells: Cells, where: str, more: Cells) -> Pair:
        return Pair(str(cells[0]), where.rpartition(":")[2], where, None, more)

    return Schema({sentence_column(part, data): "text"}, make)


read_sentences = Reader(sentence_schema)
read_plain = Reader(plain_schema)
