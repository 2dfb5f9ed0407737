"""Tagged sentences in ids: what a tagger learns from."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from regard.config.bert_tagger import BertTaggerConfig
from regard.config.tagger import CharactersConfig
from regard.config.tagging import TaggingRecipe
from regard.config.text import CharConfig, TextConfig
from regard.data.batching import SYMBOLS, Ids, pad_texts
from regard.data.corpus import Preparation, StoredEncoder, TrainingRows
from regard.data.rows import Row, Rows
from regard.data.tagged import tag_line, tagged_columns
from regard.nn.tagging import Spelling, Words
from regard.store.vocabularies import Vocabularies
from regard.text.given import Speller, WordLabels, line_of
from regard.text.labels import Labels
from regard.text.symbols import PAD
from regard.text.tokenizer import Tokenizer
from regard.text.word_pieces import PieceCounts, WordPieces

NO_CHARACTERS: Ids = ()


class EncodedSentence(NamedTuple):
    """The words and the tags of a sentence as ids, and all its characters, <pad> after each word."""

    words: Ids
    """Where words are read in pieces, all of these."""
    tags: Ids
    characters: Ids = NO_CHARACTERS
    pieces: Ids = ()
    """How many pieces each word has; nothing where a word is one token."""


TrainingSentences = TrainingRows[EncodedSentence]


def prepare_tagged(
    recipe: TaggingRecipe,
    *,
    vocabularies: Callable[[Callable[[], Vocabularies]], Vocabularies] = lambda learn: learn(),
    labels: Labels | None = None,
    characters: Tokenizer | None = None,
    quiet: bool = False,
) -> tuple[Tokenizer, Tokenizer | None, Labels, TrainingSentences]:
    """The words, the characters (None where the model reads none) and the tags of a recipe, and its training
    sentences in ids.

    vocabularies: chooses the vocabulary of words, given how to learn it; by default the one that is learned
    labels:       what may be said; by default what the training rows say
    characters:   by default those of the training rows
    """
    own = recipe.model.characters
    preparation = _TaggedPreparation(recipe, recipe.text, quiet=quiet)
    (words,) = vocabularies(lambda: tuple(preparation.vocabularies([[0]])))
    known = labels or preparation.tags()
    preparation.known = known
    if isinstance(recipe.model, BertTaggerConfig):
        pieces = WordPieces(words)
        sides: list[StoredEncoder] = [pieces, WordLabels(known), PieceCounts(pieces)]
        return words, None, known, preparation.encoded(sides, _in_pieces, counted=2)
    encoders: list[StoredEncoder] = [words, WordLabels(known)]
    if own is not None:
        characters = characters or _characters(recipe, own, quiet=quiet)
        encoders.append(Speller(characters, longest=own.longest))
    rows = preparation.encoded(encoders, EncodedSentence, counted=2)
    return words, characters if own else None, known, rows


def _characters(recipe: TaggingRecipe, config: CharactersConfig, *, quiet: bool) -> Tokenizer:
    text = CharConfig(split=config.split)
    return _TaggedPreparation(recipe, text, quiet=quiet).vocabularies([[0]])[0]


class _TaggedPreparation(Preparation):
    """A row is made of a line of words, a line of tags, and again the words, for their characters or the
    counts of their pieces."""

    known: Labels | None = None
    """What tags may be, once that is known."""

    def __init__(self, recipe: TaggingRecipe, text: TextConfig, *, quiet: bool) -> None:
        data = recipe.data
        again = recipe.model.characters is not None or isinstance(recipe.model, BertTaggerConfig)
        sides = (data.text, data.label, *([data.text] if again else []))
        super().__init__(data, text, tagged_columns(data), sides, quiet=quiet)

    def tags(self) -> Labels:
        """The tags of all words."""
        column = self._sides[1]
        return Labels.learn(
            ((where, tag) for where, cells in self._read() for tag in cells[1].split(" ")), column
        )

    def _cells(self, row: Row, rows: Rows) -> tuple[str, ...]:
        words, tags, *_ = (row.cells[rows.columns.index(side)] for side in self._sides)
        line, said = line_of(words), tag_line(tuple(tags))
        if self.known is not None:  # here the line is known
            for tag in said.split(" "):
                self.known.number(tag, f"{rows.name}:{row.number}")
        return (line, said, line)[: len(self._sides)]


def _in_pieces(words: Ids, tags: Ids, counts: Ids) -> EncodedSentence:
    return EncodedSentence(words, tags, pieces=counts)


def make_words(sentences: Sequence[EncodedSentence]) -> Words:
    """A padded batch of sentences."""
    tokens, lengths = pad_texts([sentence.words for sentence in sentences], SYMBOLS)
    if len(sentences[0].pieces):
        pieces, lengths = pad_texts([sentence.pieces for sentence in sentences], SYMBOLS)
        return Words(tokens, lengths, pieces=pieces)
    flat = [np.asarray(one.characters) for one in sentences if len(one.characters)]
    return Words(tokens, lengths, _spelling(np.concatenate(flat)) if flat else None)


def make_tags(sentences: Sequence[EncodedSentence]) -> Tensor:
    """Their tags, (b, t)."""
    return pad_texts([sentence.tags for sentence in sentences], SYMBOLS)[0]


def _spelling(characters: Ids) -> Spelling:
    """Words one after the other, each with <pad> after it, as rows of their own."""
    flat = np.asarray(characters)
    ends = np.flatnonzero(flat == PAD)
    lengths = np.diff(ends, prepend=-1) - 1
    rows = np.full((len(ends), int(lengths.max())), PAD, dtype=np.int64)
    rows[np.arange(rows.shape[1]) < lengths[:, None]] = flat[flat != PAD]
    return Spelling(torch.from_numpy(rows), torch.from_numpy(lengths))
