"""Some of the words that a decoder is fed in training are its own (Bengio et al. 2015)."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch

from regard.config.training import ScheduledSamplingConfig
from regard.data.batching import Batch
from regard.nn.noise import Noise
from regard.nn.step import EncoderDecoder


def share_of(config: ScheduledSamplingConfig, step: int) -> float:
    """How many of the fed words are the model's own at a step: from none to `share`."""
    if config.kind == "linear":
        return config.share * min(1.0, step / config.steps)
    # ε = k / (k + exp(i / k)) falls from near 1 to near 0; at `steps` it is ½
    k = _half_life(config.steps)
    return config.share * (1 - k / (k + math.exp(min(700.0, step / k))))


def _half_life(steps: int) -> float:
    """The k for which k / (k + exp(steps / k)) = ½, that is k · ln k = steps."""
    k = max(2.0, float(steps))
    for _ in range(60):  # Newton: f(k) = k ln k - steps
        k = max(1.0 + 1e-9, k - (k * math.log(k) - steps) / (math.log(k) + 1))
    return k


@torch.no_grad()
def with_own_words(
    network: EncoderDecoder[Any], batch: Batch, noise: Noise, share: float, never: Sequence[int]
) -> Batch:
    """The batch, with a share of the fed words drawn from what the model itself would write there.

    All words are drawn in one pass over the right ones, so that a decoder of any kind can be trained: a word
    that replaces another was written after right words. What is drawn is a function of the seed and the step.

    never: tokens that no word is followed by: padding, <s>, </s>, <unk>
    """
    places = batch.real[:, 1:] & (
        noise.uniform("scheduled sampling", batch.real[:, 1:]) < share
    )  # of fed[:, 1:]
    if not places.any():
        return batch
    before = torch.zeros_like(batch.real)
    before[:, :-1] = places
    chosen = network.forced(batch.source, batch.lengths, batch.fed).at(before).logits()
    chosen[:, list(never)] = -math.inf
    cumulated = chosen.softmax(-1).cumsum(-1)
    draws = noise.uniform("scheduled words", cumulated[:, :1]) * cumulated[:, -1:]
    words = torch.searchsorted(cumulated, draws, right=True).squeeze(1).clamp(max=chosen.shape[1] - 1)
    fed = batch.fed.clone()
    fed[:, 1:][places] = words
    return replace(batch, fed=fed)
