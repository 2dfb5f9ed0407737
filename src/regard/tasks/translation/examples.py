"""Sentence pairs in ids: what a translator learns from."""

from collections.abc import Callable, Sequence

from regard.config.data import DataConfig
from regard.config.text import TextConfig
from regard.data.batching import EncodedPair
from regard.data.corpus import Preparation, TrainingRows
from regard.data.pairs import Pair, pair_columns
from regard.store.vocabularies import Vocabularies
from regard.text.tokenizer import Tokenizer

TrainingPairs = TrainingRows[EncodedPair]


def prepare_pairs(
    data: DataConfig,
    text: TextConfig,
    *,
    vocabularies: Callable[[Callable[[], Vocabularies]], Vocabularies] = lambda learn: learn(),
    quiet: bool = False,
) -> tuple[Tokenizer, Tokenizer, TrainingPairs]:
    """The vocabularies of a recipe, and its training pairs in ids; the cache gives what was made before.

    vocabularies: chooses the vocabularies, given how to learn them; by default those that are learned
    """
    preparation = Preparation(data, text, pair_columns(data), (data.source, data.target), quiet=quiet)

    def learn() -> Vocabularies:
        found = preparation.vocabularies([[0, 1]] if text.joint else [[0], [1]])
        return found[0], found[-1]

    source, target = vocabularies(learn)
    return source, target, preparation.encoded([source, target], EncodedPair)


def encode_pairs(pairs: Sequence[Pair], source: Tokenizer, target: Tokenizer) -> list[EncodedPair]:
    """Turn pairs into ids, in memory."""
    sources = source.encode_ids([pair.source for pair in pairs])
    targets = target.encode_ids([pair.target for pair in pairs])
    return [EncodedPair(s, t) for s, t in zip(sources, targets, strict=True)]
