"""The loss of a model that writes, when it is fed the right words."""

from collections.abc import Sequence
from typing import Any

import torch

from regard.config.training import TrainingConfig
from regard.data.batching import SYMBOLS, Batch, EncodedPair, Pairs, make_batch
from regard.nn.loss import loss_of
from regard.nn.noise import Noise
from regard.nn.step import EncoderDecoder
from regard.nn.written import Written
from regard.text.tokenizer import BOS, EOS, PAD, UNK, Tokenizer
from regard.training.scheduled_sampling import share_of, with_own_words
from regard.training.step import BatchLoss

_NEVER_FED = (PAD, BOS, EOS, UNK)


def forced_loss(
    network: EncoderDecoder[Any],
    pairs: Pairs,
    rows: Sequence[int],
    noise: Noise | None,
    config: TrainingConfig,
    *,
    sides: tuple[Tokenizer, Tokenizer],
    device: torch.device,
) -> BatchLoss:
    """The label-smoothed cross-entropy of pairs; with BPE-dropout, in other spellings.

    sides: the vocabularies of source and target
    """
    respelt = noise is not None and any(side.dropout for side in sides)
    chosen = _Respelt(pairs, sides, (noise.seed, noise.step)) if noise and respelt else pairs
    batch = make_batch(chosen, rows, SYMBOLS).to(device)
    if noise is not None and config.scheduled_sampling is not None:
        share = share_of(config.scheduled_sampling, noise.step)
        batch = with_own_words(network, batch, noise, share, _NEVER_FED)
    return loss_of_batch(network, batch, noise, smoothing=config.label_smoothing)


def loss_of_batch(
    network: EncoderDecoder[Any], batch: Batch, noise: Noise | None, *, smoothing: float
) -> BatchLoss:
    """The label-smoothed cross-entropy of a batch, its targets given."""
    written: Written = network.forced(  # type: ignore[assignment]  # one model, not an ensemble
        batch.source, batch.lengths, batch.fed, real=batch.real, noise=noise
    )
    loss, likelihood = loss_of(written.at(batch.real), batch.wanted[batch.real], smoothing=smoothing)
    tokens = int(batch.real.sum())
    padding = 1 - (int(batch.lengths.sum()) + tokens) / (batch.source.numel() + batch.real.numel())
    return BatchLoss(loss, likelihood, tokens, padding)


class _Respelt:
    """Pairs in other tokens, anew each step: a function of (seed, step, row, side)."""

    def __init__(self, pairs: Pairs, sides: tuple[Tokenizer, Tokenizer], key: tuple[int, int]) -> None:
        self._pairs = pairs
        self._sides = sides
        self._key = key

    def __getitem__(self, row: int, /) -> EncodedPair:
        pair = self._pairs[row]
        source, target = (
            side.resample([int(token) for token in ids], key=(*self._key, row, place))
            for place, (side, ids) in enumerate(zip(self._sides, (pair.source, pair.target), strict=True))
        )
        return EncodedPair(source, target)
