"""Word vectors: small weights, so that the output layer can share them; of unit size where they are read."""

from torch import Tensor, nn

from regard.nn.linear import Linear


def word_vectors(size: int, width: int) -> nn.Embedding:
    """A vector for each entry of a vocabulary."""
    embedding = nn.Embedding(size, width)
    nn.init.normal_(embedding.weight, std=width**-0.5)
    return embedding


def word_tables(
    source_size: int, target_size: int, width: int, *, shared: bool
) -> tuple[nn.Embedding, nn.Embedding]:
    """The vectors of the source's words and of the target's; shared, they are one table."""
    source = word_vectors(source_size, width)
    return source, source if shared else word_vectors(target_size, width)


def output_layer(width: int, target: nn.Embedding, *, tied: bool) -> nn.Linear:
    """What scores every word of the target; tied, with the words' own vectors."""
    output = Linear(width, target.num_embeddings)
    if tied:
        output.weight = target.weight
    nn.init.zeros_(output.bias)
    return output


def scaled(embedding: nn.Embedding, tokens: Tensor) -> Tensor:
    """The vectors of some tokens, times √d, (…,) -> (…, d)."""
    vectors: Tensor = embedding(tokens) * embedding.embedding_dim**0.5
    return vectors
