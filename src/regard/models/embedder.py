"""One vector for a text: an encoder, its words pooled, and layers on top (Reimers and Gurevych 2019)."""

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from regard.models.bert import Bert
from regard.nn.masks import padding_mask
from regard.nn.trace import Trace


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
        self.poolings = tuple(poolings)
        self.steps = nn.Sequential(*steps)

    def forward(
        self, tokens: Tensor, lengths: Tensor, segments: Tensor | None = None, *, trace: Trace | None = None
    ) -> Tensor:
        """(b, t) and (b,) -> (b, d)."""
        states = self.encoder(tokens, lengths, segments, trace=trace)
        pooled = torch.cat([_pooled(states, lengths, kind) for kind in self.poolings], dim=-1)
        vectors: Tensor = self.steps(pooled)
        return vectors


def _pooled(states: Tensor, lengths: Tensor, kind: Literal["mean", "first", "max"]) -> Tensor:
    """(b, t, d) with zeros at padding -> (b, d)."""
    if kind == "first":
        return states[:, 0]
    if kind == "mean":
        return states.sum(1) / lengths.clamp(min=1)[:, None]
    real = padding_mask(lengths, states.shape[1])
    return states.masked_fill(~real[:, :, None], torch.finfo(states.dtype).min).amax(1)
