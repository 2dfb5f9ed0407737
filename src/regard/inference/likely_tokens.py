"""How probable each token of a text is to a model without a source, and which would have been likelier."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from regard.data.batching import SYMBOLS, EncodedPair, length_batches, make_batch
from regard.nn.decoder import EncoderDecoder, OutputPositions

_POSITIONS_AT_ONCE = 1024


@dataclass(frozen=True, slots=True)
class TokenProbability:
    """One token, at its place in a text."""

    log_probability: float
    likeliest: tuple[tuple[int, float], ...]
    """The likeliest tokens at this place, with their log-probabilities, best first."""


@torch.inference_mode()
def token_probabilities(
    module: nn.Module, texts: Sequence[Sequence[int]], *, top: int, budget: int, device: torch.device
) -> list[list[TokenProbability]]:
    """Of each token of each text.

    top:    how many of the likeliest to tell
    budget: tokens in a batch, padding included
    """
    network: EncoderDecoder[Any] = module  # type: ignore[assignment]
    pairs = [EncodedPair((), ids) for ids in texts]
    found: list[list[TokenProbability]] = [[] for _ in texts]
    for rows in length_batches([len(ids) + 1 for ids in texts], budget=budget):
        batch = make_batch(pairs, rows, SYMBOLS).to(device)
        seen = network.teacher_forced(batch.inputs).at(batch.real)
        wanted = batch.wanted[batch.real]
        values = [
            one
            for start in range(0, len(wanted), _POSITIONS_AT_ONCE)
            for one in _read(seen, wanted, slice(start, start + _POSITIONS_AT_ONCE), top)
        ]
        place = 0
        for row in rows:
            size = len(texts[row])
            found[row] = values[place : place + size]
            place += size + 1  # and </s>
    return found


def _read(seen: OutputPositions, wanted: Tensor, part: slice, top: int) -> list[TokenProbability]:
    logits, tokens = seen.at(part).logits(), wanted[part]
    sums = logits.logsumexp(dim=1)
    own = (logits.gather(1, tokens[:, None]).squeeze(1) - sums).tolist()
    best, ids = logits.topk(min(top, logits.shape[1]), dim=1)
    others = zip(ids.tolist(), (best - sums[:, None]).tolist(), strict=True)
    return [
        TokenProbability(value, tuple(zip(*likely, strict=True)))
        for value, likely in zip(own, others, strict=True)
    ]
