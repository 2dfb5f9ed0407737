"""Greedy search: the most probable token at every step."""

import torch
from torch import Tensor

from regard.decoding.hypothesis import Hypothesis
from regard.decoding.limits import Limits
from regard.nn.step import Decoder, S
from regard.nn.trace import Trace


@torch.inference_mode()
def greedy_search(
    decoder: Decoder[S],
    source: Tensor,
    lengths: Tensor,
    limits: Limits,
    *,
    alpha: float = 1.0,
    trace: Trace | None = None,
) -> list[Hypothesis]:
    """Write one sentence for each source sentence, (b, s) and (b,). Finished ones leave the batch."""
    count = len(source)
    written: list[list[int]] = [[] for _ in range(count)]
    totals = [0.0] * count
    ended = [False] * count
    state = decoder.start(source, lengths, trace=trace)
    rows = list(range(count))  # the sentence in each row of the batch
    tokens = torch.full((count,), limits.bos, device=source.device)
    step = 0
    while rows:
        if trace is not None:
            trace.examples, trace.step = rows, step
        logits, state = decoder.step(tokens, state, trace=trace)
        best, tokens = limits.forbid(logits).max(dim=-1)
        alive = []
        for row, (sentence, token, gain) in enumerate(zip(rows, tokens.tolist(), best.tolist(), strict=True)):
            totals[sentence] += gain
            if token == limits.eos:
                ended[sentence] = True
                continue
            written[sentence].append(token)
            if len(written[sentence]) < limits.max_lengths[sentence]:
                alive.append(row)
        if len(alive) < len(rows):
            keep = torch.tensor(alive, dtype=torch.long, device=source.device)
            state, tokens, rows = state.select(keep), tokens[keep], [rows[row] for row in alive]
        step += 1
    return [
        Hypothesis(tuple(tokens), total, total / (len(tokens) + end) ** alpha, end)
        for tokens, total, end in zip(written, totals, ended, strict=True)
    ]
