"""Greedy search; and the loop that it shares with sampling: one hypothesis a sentence, one token a step."""

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor

from regard.decoding.hypothesis import Hypothesis, Ranking
from regard.decoding.limits import SearchLimits
from regard.decoding.rules import NEVER, OutputSoFar, Rules
from regard.nn.decoder import Decoder, S
from regard.nn.trace import Trace


class Choose(Protocol):
    """How the next token is chosen."""

    def __call__(self, log_probabilities: Tensor, sentences: Sequence[int], step: int) -> Tensor:
        """The next token of each row, (n, v) -> (n,): not one at -inf, unless all are."""
        ...


@torch.inference_mode()
def decode_stepwise(
    decoder: Decoder[S],
    source: Tensor,
    lengths: Tensor,
    limits: SearchLimits,
    choose: Choose,
    *,
    rules: Rules,
    ranking: Ranking,
    trace: Trace | None = None,
) -> list[Hypothesis]:
    """Generate one sentence for each source sentence, (b, s) and (b,). Finished ones leave the batch."""
    count = len(source)
    written: list[list[int]] = [[] for _ in range(count)]
    totals = [0.0] * count
    ended = [False] * count
    if trace is not None:
        trace.begin()
    state = decoder.start(source, lengths, trace=trace)
    rows = list(range(count))  # the sentence in each row of the batch
    tokens = torch.full((count,), limits.bos, device=source.device)
    step = 0
    while rows:
        if trace is not None:
            trace.examples, trace.step = rows, step
        logits, state = decoder.step(tokens, state, trace=trace)
        allowed = rules.log_probabilities(logits, _written(step, rows, written))
        tokens = choose(allowed, rows, step)
        gains = allowed.gather(1, tokens[:, None]).squeeze(1)
        alive = []
        for row, (sentence, token, gain) in enumerate(
            zip(rows, tokens.tolist(), gains.tolist(), strict=True)
        ):
            if gain == NEVER:  # no token is allowed: the sentence is truncated here
                continue
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
        Hypothesis(tuple(tokens), total, ranking.score(total, max(1, len(tokens) + end)), end)
        for tokens, total, end in zip(written, totals, ended, strict=True)
    ]


def _written(step: int, rows: list[int], written: list[list[int]]) -> OutputSoFar:
    return OutputSoFar(step, lambda: rows, lambda: [written[sentence] for sentence in rows])


def greedy_search(
    decoder: Decoder[S],
    source: Tensor,
    lengths: Tensor,
    limits: SearchLimits,
    *,
    rules: Rules | None = None,
    ranking: Ranking | None = None,
    trace: Trace | None = None,
) -> list[Hypothesis]:
    """Greedy search: the most probable token at every step."""
    rules, ranking = rules or Rules(limits.never), ranking or Ranking()
    return decode_stepwise(decoder, source, lengths, limits, _best, rules=rules, ranking=ranking, trace=trace)


def _best(log_probabilities: Tensor, sentences: Sequence[int], step: int) -> Tensor:
    del sentences, step
    return log_probabilities.argmax(dim=-1)
