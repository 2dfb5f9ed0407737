"""One vector for a text: an encoder, its words pooled, and layers on top (Reimers and Gurevych 2019)."""

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from regard.models.bert import Bert
from regard.nn.masks import padding_mask
from regard.nn.pooling import FirstPooling, MaxPooling, MeanPooling, States
from regard.nn.trace import Trace

POOLINGS: dict[str, type[nn.Module]] = {"mean": MeanPooling, "first": FirstPooling, "max": MaxPooling}


class Normalise(nn.Module):
    """Vectors of length 1, so that a product is a cosine."""

    def forward(self, vectors: Tensor) -> Tensor:
        """(b, d) -> (b, d)."""
        return functional.normalize(vectors, dim=-1)


class Embedder(nn.Module):
    """Texts as vectors. Of several poolings, the vectors stand side by side."""

    def __init__(
        self, encoder: Bert, poolings: Sequence[Literal["mean", "first", "max"]], steps: Sequence[nn.Module]
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.poolings = nn.ModuleList(POOLINGS[kind]() for kind in poolings)
        self.steps = nn.Sequential(*steps)

    def forward(
        self, tokens: Tensor, lengths: Tensor, segments: Tensor | None = None, *, trace: Trace | None = None
    ) -> Tensor:
        """(b, t) and (b,) -> (b, d)."""
        words = self.encoder(tokens, lengths, segments, trace=trace)
        states = States(words, words[:, 0], padding_mask(lengths, tokens.shape[1]))
        pooled = torch.cat([pooling(states).vectors.squeeze(1) for pooling in self.poolings], dim=-1)
        vectors: Tensor = self.steps(pooled)
        return vectors
