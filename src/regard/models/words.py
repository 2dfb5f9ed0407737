"""Word vectors: small weights, so that the output layer can share them; of unit size where they are read."""

from torch import Tensor, nn


def word_vectors(size: int, width: int) -> nn.Embedding:
    """A vector for each entry of a vocabulary."""
    embedding = nn.Embedding(size, width)
    nn.init.normal_(embedding.weight, std=width**-0.5)
    return embedding


def scaled(embedding: nn.Embedding, tokens: Tensor) -> Tensor:
    """The vectors of some tokens, times √d, (…,) -> (…, d)."""
    vectors: Tensor = embedding(tokens) * embedding.embedding_dim**0.5
    return vectors
