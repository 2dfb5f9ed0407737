"""The loss of a decoder under teacher forcing; some of the words that it is fed may be its own."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from regard.config.training import ScheduledSamplingConfig, TrainingConfig
from regard.data.batching import SYMBOLS, Batch, EncodedPair, Pairs, make_batch
from regard.nn.decoder import DecoderOutput, EncoderDecoder
from regard.nn.dropout import DropoutRng
from regard.nn.loss import loss_of
from regard.text.token_links import respelt_links
from regard.text.tokenizer import BOS, EOS, PAD, UNK, Tokenizer
from regard.training.guided_alignment import GuidedAttention
from regard.training.step import BatchLoss

_NEVER_FED = (PAD, BOS, EOS, UNK)


def teacher_forced_loss(
    network: EncoderDecoder[Any],
    pairs: Pairs,
    rows: Sequence[int],
    rng: DropoutRng | None,
    config: TrainingConfig,
    *,
    sides: tuple[Tokenizer, Tokenizer],
    device: torch.device,
    guided: GuidedAttention | None = None,
) -> BatchLoss:
    """The label-smoothed cross-entropy of pairs; with BPE-dropout, in other segmentations.

    sides:  the vocabularies of source and target
    guided: the attention that learns the links of the pairs
    """
    respelt = rng is not None and any(side.dropout for side in sides)
    chosen = _Resegmented(pairs, sides, (rng.seed, rng.step)) if rng and respelt else pairs
    batch = make_batch(chosen, rows, SYMBOLS).to(device)
    if rng is not None and config.scheduled_sampling is not None:
        share = sampling_rate(config.scheduled_sampling, rng.step)
        batch = with_sampled_tokens(network, batch, rng, share, _NEVER_FED)
    return loss_of_batch(network, batch, rng, smoothing=config.label_smoothing, guided=guided)


def loss_of_batch(
    network: EncoderDecoder[Any],
    batch: Batch,
    rng: DropoutRng | None,
    *,
    smoothing: float,
    guided: GuidedAttention | None = None,
) -> BatchLoss:
    """The label-smoothed cross-entropy of a batch, its targets given; with that of a guided attention."""
    seen: list[Tensor] = []
    watched = guided if batch.links is not None else None
    written: DecoderOutput = network.teacher_forced(  # type: ignore[assignment]  # one model, not an ensemble
        replace(batch.inputs, real=batch.real),
        rng=rng,
        trace=None if watched is None else watched.watch(network, seen),
    )
    more = None if watched is None or batch.links is None else watched.loss(seen, batch.links)
    loss, likelihood = loss_of(written.at(batch.real), batch.wanted[batch.real], smoothing=smoothing)
    tokens = int(batch.real.sum())
    padding = 1 - (int(batch.lengths.sum()) + tokens) / (batch.source.numel() + batch.real.numel())
    return BatchLoss(loss, likelihood, tokens, padding, auxiliary=more)


class _Resegmented:
    """Pairs in other tokens, anew each step: a function of (seed, step, row, side)."""

    def __init__(self, pairs: Pairs, sides: tuple[Tokenizer, Tokenizer], key: tuple[int, int]) -> None:
        self._pairs = pairs
        self._sides = sides
        self._key = key

    def __getitem__(self, row: int, /) -> EncodedPair:
        pair = self._pairs[row]
        old = [[int(token) for token in ids] for ids in (pair.source, pair.target)]
        new = [
            side.resample(ids, key=(*self._key, row, place))
            for place, (side, ids) in enumerate(zip(self._sides, old, strict=True))
        ]
        if not len(pair.links):
            return EncodedPair(new[0], new[1])
        source, target = (
            (side.decode(before), side.decode(after))
            for side, before, after in zip(self._sides, old, new, strict=True)
        )
        return EncodedPair(new[0], new[1], respelt_links(list(pair.links), source, target))


def sampling_rate(config: ScheduledSamplingConfig, step: int) -> float:
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
def with_sampled_tokens(
    network: EncoderDecoder[Any], batch: Batch, rng: DropoutRng, share: float, never: Sequence[int]
) -> Batch:
    """The batch, with a share of the input tokens drawn from the model's own predictions.

    All words are drawn in one pass over the right ones, so that a decoder of any kind can be trained: a word
    that replaces another was predicted after right words. The draws are a function of the seed and the step.

    never: tokens that no word is followed by: padding, <s>, </s>, <unk>
    """
    places = batch.real[:, 1:] & (
        rng.uniform("scheduled sampling", batch.real[:, 1:]) < share
    )  # of fed[:, 1:]
    if not places.any():
        return batch
    before = torch.zeros_like(batch.real)
    before[:, :-1] = places
    chosen = network.teacher_forced(batch.inputs).at(before).logits()
    chosen[:, list(never)] = -math.inf
    cumulated = chosen.softmax(-1).cumsum(-1)
    draws = rng.uniform("scheduled words", cumulated[:, :1]) * cumulated[:, -1:]
    words = torch.searchsorted(cumulated, draws, right=True).squeeze(1).clamp(max=chosen.shape[1] - 1)
    fed = batch.fed.clone()
    fed[:, 1:][places] = words
    return replace(batch, fed=fed)
