"""Sentence pairs as ids: the text part of a translation task, learned and applied."""

from collections.abc import Sequence

from regard.config.text import BpeConfig
from regard.data.batching import EncodedPair
from regard.data.examples import Pair
from regard.text.tokenizer import Tokenizer


def learn_tokenizers(pairs: Sequence[Pair], config: BpeConfig) -> tuple[Tokenizer, Tokenizer]:
    """Learn the source and the target vocabulary; with `joint`, one that is both."""
    sources, targets = [pair.source for pair in pairs], [pair.target for pair in pairs]
    if config.joint:
        both = Tokenizer.learn([*sources, *targets], config)
        return both, both
    return Tokenizer.learn(sources, config), Tokenizer.learn(targets, config)


def encode_pairs(pairs: Sequence[Pair], source: Tokenizer, target: Tokenizer) -> list[EncodedPair]:
    """Turn the pairs into ids."""
    sources = source.encode_many([pair.source for pair in pairs])
    targets = target.encode_many([pair.target for pair in pairs])
    return [EncodedPair(s.ids, t.ids) for s, t in zip(sources, targets, strict=True)]
