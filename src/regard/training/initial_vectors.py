"""Word vectors that a model begins with: learned on the training text, or from a file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from regard.config.recipe import Recipe
from regard.config.vectors import FileVectorsConfig, FirstVectorsConfig, VectorSource, Word2VecConfig
from regard.data.corpus import TrainingRows
from regard.data.lines import file_path
from regard.errors import ConfigError, DataError
from regard.progress import say
from regard.store.build import Vocabularies
from regard.text.pieces import GOES_ON
from regard.text.symbols import BYTES, SPACE, SPECIAL
from regard.text.tokenizer import Tokenizer
from regard.text.words import is_punctuation
from regard.vectors.files import read_shape, read_vectors
from regard.vectors.word2vec import check_gensim, learn_vectors


def check_vectors(config: FirstVectorsConfig) -> None:
    """Refuse, before any work, vectors that cannot be learned here or are not there."""
    for source in config.sources.values():
        if isinstance(source, Word2VecConfig):
            check_gensim()
        elif source is not None:
            read_shape(file_path(source.path))


@dataclass(frozen=True)
class _Found:
    """Vectors for some entries of a vocabulary."""

    entries: Tensor
    """(n,)"""
    vectors: Tensor
    """(n, d)"""


class InitialVectors:
    """The initial word vectors of a recipe. They are computed once, when a model first needs them.

    Only the tensors of word vectors get them, one for each vocabulary, whatever the model.
    Entries without a vector, and all else, stay as they were initialised. The vectors are multiplied by one
    number, so that their root mean square is that of the tensor as it was initialised (width ** -0.5 in
    `models/seq2seq.py`): a model gets vectors of the size that it expects, with the angles that they had.
    """

    def __init__(
        self, recipe: Recipe, vocabularies: Vocabularies, rows: TrainingRows[Any], *, quiet: bool
    ) -> None:
        self._sources = recipe.vectors.sources
        self._sides = tuple(self._sources)
        self._seed = recipe.training.seed
        self._vocabularies = vocabularies
        self._rows = rows
        self._quiet = quiet
        self._made: dict[tuple[int, ...], _Found] = {}

    def put(self, model: nn.Module, names: Sequence[str]) -> None:
        """Give a model that has just been initialised its word vectors.

        names: the parameter of each vocabulary
        """
        tensors = [model.get_parameter(name) for name in names]
        wanted: dict[tuple[int, ...], VectorSource | None] = {
            (side,): source for side, source in enumerate(self._sources.values())
        }
        if len(tensors) == 2 and tensors[0] is tensors[1] and all(wanted.values()):
            # One tensor for both languages: its vectors are learned on the text of both.
            if wanted[(0,)] != wanted[(1,)]:
                raise ConfigError(
                    f"vectors: the model has one tensor ({names[0]}) for both languages; say the same for "
                    f"{' and '.join(self._sides)}, or leave one of them out"
                )
            wanted = {(0, 1): wanted[(0,)]}
        for sides, config in wanted.items():
            if config is not None:
                self._fill(tensors[sides[0]], names[sides[0]], config, sides)

    def _fill(self, tensor: Tensor, name: str, config: VectorSource, sides: tuple[int, ...]) -> None:
        if sides not in self._made:
            self._made[sides] = self._make(config, sides, tensor.shape[1], name)
        found = self._made[sides]
        size = _root_mean_square(tensor) / _root_mean_square(found.vectors)
        with torch.no_grad():
            tensor[found.entries] = (found.vectors * size).to(tensor)

    def _make(self, config: VectorSource, sides: tuple[int, ...], width: int, name: str) -> _Found:
        what = f"vectors.{' and vectors.'.join(self._sides[side] for side in sides)}"
        if isinstance(config, Word2VecConfig):
            found, told = self._learn(config, sides, width), "learned on the training text"
        else:
            found, told = self._read(config, sides[0], width, name), f"found in {config.path}"
        total = len(self._vocabularies[sides[0]])
        say(f"{what}: {len(found.entries):,} of {total:,} entries {told}", quiet=self._quiet)
        return found

    def _learn(self, config: Word2VecConfig, sides: Sequence[int], width: int) -> _Found:
        names = [self._sides[side] for side in sides]
        text = "the text" if names == ["text"] else f"the {' and '.join(names)} text"
        own = [self._vocabularies[side] for side in sides]
        read = [n for n, encoder in enumerate(self._rows.encoders) if any(encoder is one for one in own)]
        sentences = _Ids(self._rows, read)
        learned = learn_vectors(sentences, config, size=width, seed=self._seed, name=text, quiet=self._quiet)
        return _Found(torch.tensor([int(entry) for entry in learned.words]), torch.tensor(learned.matrix))

    def _read(self, config: FileVectorsConfig, side: int, width: int, name: str) -> _Found:
        path = file_path(config.path)
        _, found_width = read_shape(path)
        if found_width != width:
            raise ConfigError(
                f"{path}: has vectors of width {found_width}, but {name} of the model has {width}; "
                f"choose the width of the model (model.embedding_size) or the vectors so that they agree"
            )
        vocabulary = self._vocabularies[side]
        looked_for = dict(spellings(vocabulary, inside_words=config.inside_words))
        known = read_vectors(path, {word for words in looked_for.values() for word in words})
        rows = {
            entry: next(known.rows[word] for word in words if word in known.rows)
            for entry, words in looked_for.items()
            if any(word in known.rows for word in words)
        }
        if not rows or not known.matrix.any():
            raise DataError(
                f"{path}: has a vector for none of the {len(vocabulary):,} entries of the "
                f"{self._sides[side]} vocabulary; is it of another language, or of words where the entries "
                f"are single characters?"
            )
        return _Found(torch.tensor(list(rows)), torch.tensor(known.matrix[list(rows.values())]))


class _Ids:
    """The sentences of the training rows: numbers of entries, as words."""

    def __init__(self, rows: TrainingRows[Any], sides: Sequence[int]) -> None:
        self._rows = rows
        self._sides = sides

    def __iter__(self) -> Iterator[list[str]]:
        for row in range(len(self._rows)):
            ids = self._rows.ids(row)
            for side in self._sides:
                yield [str(entry) for entry in np.asarray(ids[side]).tolist()]


def _root_mean_square(tensor: Tensor) -> float:
    return float(tensor.detach().double().square().mean().sqrt())


def spellings(tokenizer: Tokenizer, *, inside_words: bool) -> Iterator[tuple[int, tuple[str, ...]]]:
    """For each entry that may have a vector: its number, and the words to look up, the best first.

    ▁학교, which begins a word, is first looked up as it is, then as 학교; a comma as a comma. A piece inside
    words, such as 는 or ##er, is looked up only where that is wanted. Symbols such as </s>, and bytes that
    spell a rare character, are never looked up.
    """
    for number in range(len(SPECIAL), len(tokenizer)):
        piece = tokenizer.piece(number)
        text = piece.removeprefix(SPACE).removeprefix(GOES_ON) or piece
        is_whole = piece.startswith(SPACE) or all(map(is_punctuation, piece))
        if piece not in _BYTES and text != SPACE and (is_whole or inside_words):
            yield number, tuple(dict.fromkeys((piece, text)))


_BYTES = frozenset(BYTES)
