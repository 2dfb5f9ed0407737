"""Given translations, forced through a model: how probable each token is, and what was looked at."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from regard.data.batching import Batch, EncodedPair, Symbols, length_batches, make_batch
from regard.insight.maps import Weights
from regard.nn.step import EncoderDecoder
from regard.nn.trace import Sight, Trace
from regard.text.tokenizer import BOS, EOS, PAD

SYMBOLS = Symbols(pad=PAD, bos=BOS, eos=EOS)
_POSITIONS_AT_ONCE = 1024


@torch.inference_mode()
def force(
    module: nn.Module, pairs: Sequence[EncodedPair], *, budget: int, device: torch.device, look: bool
) -> Iterator[tuple[int, list[float], dict[str, Weights]]]:
    """Force pairs through a model in batches of like length, in no particular order.

    pairs:  each with tokens on its source side
    budget: tokens in a batch, padding included
    look:   also read the attention (slower)
    yields: the row; the log-probability of each target token and of </s>; the weights of each attention by
            its path, (q, k) or (h, q, k), with padding beyond the sentence; none where nobody looks
    """
    network: EncoderDecoder[Any] = module  # type: ignore[assignment]
    longest = [max(len(pair.source), len(pair.target)) + 1 for pair in pairs]
    for rows in length_batches(longest, budget=budget):
        batch = make_batch(pairs, rows, SYMBOLS).to(device)
        trace = Trace(module) if look else None
        features = network.forced(batch.source, batch.lengths, batch.fed, trace=trace)
        seen = {path: _joined(trace.kept[path]) for path in network.attentions} if trace is not None else {}
        values = of_wanted(network, features, batch)
        for place, row in enumerate(rows):
            own = values[place, : len(pairs[row].target) + 1].tolist()
            yield row, own, {path: weights[place] for path, weights in seen.items()}


def of_wanted(network: EncoderDecoder[Any], features: Tensor, batch: Batch) -> Tensor:
    """The log-probability of every wanted token, (b, t) in float64; 0 on padding."""
    wanted = batch.wanted[batch.real]
    found = []
    seen = features[batch.real]
    for start in range(0, len(wanted), _POSITIONS_AT_ONCE):
        part = slice(start, start + _POSITIONS_AT_ONCE)
        logits, tokens = network.output(seen[part]), wanted[part]
        found.append(logits.gather(1, tokens[:, None]).squeeze(1) - logits.logsumexp(dim=1))
    values = torch.zeros(batch.real.shape, dtype=torch.float64, device=features.device)
    values[batch.real] = torch.cat(found).double()
    return values


def _joined(sights: Sequence[Sight]) -> Weights:
    """The looks of one attention, one after the other, (b, q, k) or (b, h, q, k)."""
    widest = max(sight.weights.shape[-1] for sight in sights)
    parts = [pad(sight.weights, (0, widest - sight.weights.shape[-1])) for sight in sights]
    return np.asarray(torch.cat(parts, dim=-2).float().cpu().numpy())
