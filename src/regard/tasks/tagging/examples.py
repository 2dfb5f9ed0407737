"""Tagged sentences in ids: what a tagger learns from."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from regard.config.bert_tagger import BertTaggerConfig
from regard.config.tagging import TaggingRecipe
from regard.config.text import CharConfig
from regard.data.batching import SYMBOLS, Ids, pad_texts
from regard.data.corpus import Choose, CorpusBuilder, TrainingRows, learned
from regard.data.encoded import StoredEncoder
from regard.data.tagged import tagged_schema
from regard.nn.token_classifier import CharacterBatch, WordBatch
from regard.text.labels import Labels
from regard.text.pretokenized import PhraseTokenizer, PieceCounts, TagIds, WordPieces
from regard.text.symbols import PAD
from regard.text.tokenizer import Tokenizer

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


def tagged_corpus(
    recipe: TaggingRecipe,
    *,
    labels: Labels | None = None,
    characters: Tokenizer | None = None,
    choose: Choose = learned,
    quiet: bool = False,
) -> tuple[Tokenizer, Tokenizer | None, Labels, TrainingSentences]:
    """The words, the characters (None where the model reads none) and the tags of a recipe, and its training
    sentences in ids.

    labels:     the label set; by default that of the training rows
    characters: by default those of the training rows
    """
    data, own = recipe.data, recipe.model.characters
    builder = CorpusBuilder(data, recipe.text, tagged_schema, choose=choose, quiet=quiet)
    words = builder.tokenizer([0])
    known = labels or Labels.learn(
        ((row.where, tag) for row in builder.read() for tag in row.target.split(" ")), data.label
    )
    if isinstance(recipe.model, BertTaggerConfig):
        pieces = WordPieces(words)
        sides: list[StoredEncoder] = [pieces, TagIds(known), PieceCounts(pieces)]
        return words, None, known, builder.encoded(sides, _in_pieces, counted=2)
    encoders: list[StoredEncoder] = [words, TagIds(known)]
    if own is not None:
        spelt = CharConfig(split=own.split)
        characters = characters or CorpusBuilder(data, spelt, tagged_schema, quiet=quiet).tokenizer([0])
        encoders.append(PhraseTokenizer(characters, longest=own.longest))
    rows = builder.encoded(encoders, EncodedSentence, counted=2)
    return words, characters if own else None, known, rows


def _in_pieces(words: Ids, tags: Ids, counts: Ids) -> EncodedSentence:
    return EncodedSentence(words, tags, pieces=counts)


def make_words(sentences: Sequence[EncodedSentence]) -> WordBatch:
    """A padded batch of sentences."""
    tokens, lengths = pad_texts([sentence.words for sentence in sentences], SYMBOLS)
    if len(sentences[0].pieces):
        pieces, lengths = pad_texts([sentence.pieces for sentence in sentences], SYMBOLS)
        return WordBatch(tokens, lengths, pieces=pieces)
    flat = [np.asarray(one.characters) for one in sentences if len(one.characters)]
    return WordBatch(tokens, lengths, _spelling(np.concatenate(flat)) if flat else None)


def make_tags(sentences: Sequence[EncodedSentence]) -> Tensor:
    """Their tags, (b, t)."""
    return pad_texts([sentence.tags for sentence in sentences], SYMBOLS)[0]


def _spelling(characters: Ids) -> CharacterBatch:
    """Words one after the other, each with <pad> after it, as rows of their own."""
    flat = np.asarray(characters)
    ends = np.flatnonzero(flat == PAD)
    lengths = np.diff(ends, prepend=-1) - 1
    rows = np.full((len(ends), int(lengths.max())), PAD, dtype=np.int64)
    rows[np.arange(rows.shape[1]) < lengths[:, None]] = flat[flat != PAD]
    return CharacterBatch(torch.from_numpy(rows), torch.from_numpy(lengths))
