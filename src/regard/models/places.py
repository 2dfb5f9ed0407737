"""Words that know their places, where that is a matter of vectors that are added."""

import torch
from torch import Tensor, nn

from regard.config.transformer import Positions
from regard.errors import DataError
from regard.models.words import scaled
from regard.nn.layout import Layout
from regard.nn.positions import sinusoids


def with_places(
    words: Tensor, layout: Layout, first: int, *, kind: Positions, learned: nn.Embedding | None
) -> Tensor:
    """Add the vectors of places to words, (n, width) each; turned or no positions add nothing.

    layout:  where the words are
    first:   the place of the first word of each sentence
    learned: the vectors of learned places
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
