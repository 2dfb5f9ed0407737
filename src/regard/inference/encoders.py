"""Encoders from elsewhere, ready to read."""

from pathlib import Path

from regard.models.bert import Bert
from regard.store.convert.encoder import StoredEncoder, read_encoder
from regard.store.folder import load_weights


def open_encoder(folder: str | Path) -> Bert:
    """The encoder in a folder that `transformers` wrote."""
    return build_encoder(read_encoder(Path(folder)), str(folder))


def build_encoder(stored: StoredEncoder, where: str) -> Bert:
    """The encoder that a folder holds."""
    described = stored.described
    model = Bert(described.config, vocabulary_size=described.vocabulary_size)
    load_weights(model, stored.weights, where)
    return model.requires_grad_(False)
