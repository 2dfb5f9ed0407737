"""Sentences in ids: what a language model learns from."""

from collections.abc import Callable

from regard.config.language import SentencesConfig
from regard.config.text import TextConfig
from regard.data.batching import EncodedPair, Ids
from regard.data.corpus import Preparation, TrainingRows
from regard.data.sentences import sentence_column
from regard.store.vocabularies import Vocabularies
from regard.text.tokenizer import Tokenizer

TrainingSentences = TrainingRows[EncodedPair]
"""Pairs of nothing and a sentence: what is written, and no source."""


def prepare_sentences(
    data: SentencesConfig,
    text: TextConfig,
    *,
    vocabularies: Callable[[Callable[[], Vocabularies]], Vocabularies] = lambda learn: learn(),
    quiet: bool = False,
) -> tuple[Tokenizer, TrainingSentences]:
    """The vocabulary of a recipe, and its training sentences in ids.

    vocabularies: chooses the vocabulary, given how to learn it; by default the one that is learned
    """
    column = sentence_column(data.train, data)
    preparation = Preparation(data, text, {column: "text"}, (column,), quiet=quiet)
    (tokenizer,) = vocabularies(lambda: tuple(preparation.vocabularies([[0]])))
    return tokenizer, preparation.encoded([tokenizer], from_nothing)


def from_nothing(sentence: Ids) -> EncodedPair:
    """A sentence without a source."""
    return EncodedPair((), sentence)
