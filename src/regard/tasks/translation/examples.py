"""Sentence pairs in ids: what a translator learns from."""

from collections.abc import Sequence

from regard.config.data import DataConfig
from regard.config.text import TextConfig
from regard.data.batching import EncodedPair
from regard.data.corpus import Choose, CorpusBuilder, TrainingRows, learned
from regard.data.encoded import StoredEncoder
from regard.data.pairs import Pair, check_linked, linked_schema, pair_schema
from regard.errors import DataError
from regard.text.token_links import TokenLinkIds
from regard.text.tokenizer import Tokenizer

TrainingPairs = TrainingRows[EncodedPair]


def pair_corpus(
    data: DataConfig, text: TextConfig, *, linked: bool = False, choose: Choose = learned, quiet: bool = False
) -> tuple[Tokenizer, Tokenizer, TrainingPairs]:
    """The vocabularies of a recipe, and its training pairs in ids; the cache has what was encoded before.

    linked: with the links between the tokens of each pair, where its row has an alignment
    """
    if not linked:
        builder = CorpusBuilder(data, text, pair_schema, choose=choose, quiet=quiet)
        source, target = builder.tokenizers(0, 1)
        return source, target, builder.encoded([source, target], EncodedPair)
    check_linked(data)
    builder = CorpusBuilder(data, text, linked_schema, choose=choose, quiet=quiet)
    source, target = builder.tokenizers(0, 1)
    encoders: list[StoredEncoder] = [source, target, TokenLinkIds(source, target)]
    pairs = builder.encoded(encoders, EncodedPair, counted=2)
    if len(pairs) and not pairs.has(2):
        raise DataError("training.guided_alignment: data.train has word alignments for none of its rows")
    return source, target, pairs


def encode_pairs(pairs: Sequence[Pair], source: Tokenizer, target: Tokenizer) -> list[EncodedPair]:
    """Turn pairs into ids, in memory."""
    sources = source.encode_ids([pair.source for pair in pairs])
    targets = target.encode_ids([pair.target for pair in pairs])
    return [EncodedPair(s, t) for s, t in zip(sources, targets, strict=True)]
