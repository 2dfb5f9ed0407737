"""Sentences in ids: what a language model learns from."""

from regard.config.language import SentencesConfig
from regard.config.text import TextConfig
from regard.data.batching import EncodedPair, Ids
from regard.data.corpus import Choose, CorpusBuilder, TrainingRows, learned
from regard.data.sentences import sentence_schema
from regard.text.tokenizer import Tokenizer

TrainingSentences = TrainingRows[EncodedPair]
"""Pairs of nothing and a sentence: a target without a source."""


def sentence_corpus(
    data: SentencesConfig, text: TextConfig, *, choose: Choose = learned, quiet: bool = False
) -> tuple[Tokenizer, TrainingSentences]:
    """The vocabulary of a recipe, and its training sentences in ids."""
    builder = CorpusBuilder(data, text, sentence_schema, choose=choose, quiet=quiet)
    tokenizer = builder.tokenizer([0])
    return tokenizer, builder.encoded([tokenizer], from_nothing)


def from_nothing(sentence: Ids) -> EncodedPair:
    """A sentence without a source."""
    return EncodedPair((), sentence)
