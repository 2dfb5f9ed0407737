"""Word and position embeddings, and the output layer, which can share the weights of the words.

Their initial weights are small, for the output layer; embedded words are scaled by √d.
"""

import torch
from torch import Tensor, nn

from regard.config.transformer import Positions
from regard.errors import DataError
from regard.nn.layout import Layout
from regard.nn.linear import Linear
from regard.nn.positions import sinusoids


def word_embedding(size: int, width: int) -> nn.Embedding:
    """The embedding of a vocabulary."""
    embedding = nn.Embedding(size, width)
    nn.init.normal_(embedding.weight, std=width**-0.5)
    return embedding


def output_layer(width: int, target: nn.Embedding, *, tied: bool) -> nn.Linear:
    """The output layer, which may be tied to the target's embedding."""
    output = Linear(width, target.num_embeddings)
    if tied:
        output.weight = target.weight
    nn.init.zeros_(output.bias)
    return output


def scaled(embedding: nn.Embedding, tokens: Tensor) -> Tensor:
    """Embedded tokens, times √d, (…,) -> (…, d)."""
    vectors: Tensor = embedding(tokens) * embedding.embedding_dim**0.5
    return vectors


def add_positions(
    words: Tensor, layout: Layout, first: int, *, kind: Positions, learned: nn.Embedding | None
) -> Tensor:
    """Add position embeddings to words, (n, width) each; rotary positions or none add nothing.

    layout:  where the words are
    first:   the position of the first word of each sentence
    learned: learned position embeddings
    """
    if kind in ("rotary", "none"):
        return words
    count = layout.real.shape[1]
    if learned is None:
        table = sinusoids(first, count, words.shape[-1], words)
    elif first + count > learned.num_embeddings:
        raise DataError(
            f"this model has {learned.num_embeddings} positions, found a sentence of {first + count} tokens"
        )
    else:
        table = scaled(learned, torch.arange(first, first + count, device=words.device))
    return words + layout.pack(table.expand(*layout.real.shape, -1))
