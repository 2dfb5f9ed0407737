"""Encoders from elsewhere, ready to read."""

from pathlib import Path

from regard.errors import StoreError
from regard.models.bert import Bert
from regard.store.convert.encoder import StoredEncoder, read_encoder
from regard.store.folder import put_weights
from regard.text.foreign import ForeignTokenizer


def open_encoder(folder: str | Path) -> Bert:
    """The encoder in a folder that `transformers` wrote."""
    return build_encoder(read_encoder(Path(folder)), str(folder))


def build_encoder(stored: StoredEncoder, where: str) -> Bert:
    """The encoder that a folder holds."""
    described = stored.described
    model = Bert(described.config, vocabulary_size=described.vocabulary_size)
    put_weights(model, stored.weights, where)
    return model.requires_grad_(False)


def build_tokenizer(
    stored: StoredEncoder, where: str, *, longest: int | None = None, lower: bool = False
) -> ForeignTokenizer:
    """The tokenizer that came with an encoder; texts are cut to `longest` tokens, or to its places."""
    described = stored.described
    longest = described.config.longest if longest is None else longest
    tokenizer = ForeignTokenizer.of(stored.tokenizer, where=where, longest=longest, lower=lower)
    if tokenizer.size > described.vocabulary_size:
        raise StoreError(
            f"{where}: the tokenizer has entries up to {tokenizer.size - 1}, "
            f"and the weights are for {described.vocabulary_size}: they do not belong together"
        )
    return tokenizer
