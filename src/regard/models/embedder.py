"""One vector for a text: an encoder, its words pooled, and layers on top (Reimers and Gurevych 2019)."""

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from regard.errors import DataError
from regard.models.bert import Bert
from regard.models.bert_backbone import framed_states, read_windows
from regard.nn.masks import padding_mask
from regard.nn.pooling import EncoderStates, FirstPooling, MaxPooling, MeanPooling
from regard.nn.sequence_classifier import PaddedTokens, SpecialTokens
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
        self,
        encoder: Bert,
        poolings: Sequence[Literal["mean", "first", "max"]],
        steps: Sequence[nn.Module],
        *,
        longest: int | None = None,
    ) -> None:
        """longest: maximum sequence length, special tokens included; by default the encoder's"""
        super().__init__()
        self.longest = longest or encoder.longest
        self.encoder = encoder
        self.poolings = nn.ModuleList(POOLINGS[kind]() for kind in poolings)
        self.steps = nn.Sequential(*steps)

    def forward(
        self, tokens: Tensor, lengths: Tensor, segments: Tensor | None = None, *, trace: Trace | None = None
    ) -> Tensor:
        """(b, t) and (b,), with a special token before each text and one behind it -> (b, d).

        A longer text is encoded in windows, and its words are pooled as one text's.
        """
        states = self._read(tokens, lengths, segments, trace)
        pooled = torch.cat([pooling(states).vectors.squeeze(1) for pooling in self.poolings], dim=-1)
        vectors: Tensor = self.steps(pooled)
        return vectors

    def parts(self, tokens: Tensor, lengths: Tensor, segments: Tensor | None = None) -> Tensor:
        """What each word adds to the vector before it is normalised: (b, t, d), zeros at padding.

        Every pooling here takes each value of the vector from the words: a share of all, or all of one. A
        layer above keeps the sum a sum if it is a product alone.
        """
        for step in self.steps:
            if isinstance(step, nn.Tanh) or (isinstance(step, nn.Linear) and step.bias is not None):
                kind = "tanh" if isinstance(step, nn.Tanh) else "a bias"
                raise DataError(
                    f"this model has a layer with {kind} above its words, so its vector is no sum over words"
                )
        states = self._read(tokens, lengths, segments, None)
        parts = torch.cat([states.words * shares(pooling, states) for pooling in self.poolings], dim=-1)
        for step in self.steps:
            parts = step(parts) if isinstance(step, nn.Linear) else parts
        return parts

    def _read(
        self, tokens: Tensor, lengths: Tensor, segments: Tensor | None, trace: Trace | None
    ) -> EncoderStates:
        if tokens.shape[1] > self.longest:
            bare = PaddedTokens(tokens[:, 1:-1], lengths - 2)
            frame = SpecialTokens(int(tokens[0, 0]), int(tokens[0, lengths[0] - 1]), self.longest)
            whole = read_windows(self.encoder, frame, bare, size=self.longest - frame.symbols(1))
            return framed_states(whole, bare.lengths, mean_first=True)
        words = self.encoder(tokens, lengths, segments, trace=trace)
        return EncoderStates(words, words[:, 0], padding_mask(lengths, tokens.shape[1]))


def shares(pooling: nn.Module, states: EncoderStates) -> Tensor:
    """How much of each value of a word goes into the vector, broadcastable to (b, t, d)."""
    mask = states.mask[..., None].to(states.words.dtype)
    if isinstance(pooling, MeanPooling):
        return mask / mask.sum(1, keepdim=True)
    if isinstance(pooling, FirstPooling):
        return torch.zeros_like(mask).index_fill(1, torch.tensor([0], device=mask.device), 1.0)
    hidden = states.words.masked_fill(mask == 0, torch.finfo(states.words.dtype).min)
    return functional.one_hot(hidden.argmax(1), mask.shape[1]).mT.to(states.words.dtype)
