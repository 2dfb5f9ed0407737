"""Greedy search and sampling, and the loop that they share: one hypothesis a sentence, one token a step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from regard.config.decoding import DecodingConfig
from regard.decoding.hypothesis import Hypothesis, Ranking, SearchLimits
from regard.decoding.observer import SearchObserver
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
    observer: SearchObserver | None = None,
) -> list[Hypothesis]:
    """Generate one sentence for each source sentence, (b, s) and (b,). Finished ones leave the batch.

    A sentence that is cancelled leaves it, too, with what was written so far.
    """
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
            if observer is not None:
                observer.wrote(sentence, token, gain)
                if observer.is_cancelled(sentence):
                    continue
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
    observer: SearchObserver | None = None,
) -> list[Hypothesis]:
    """Greedy search: the most probable token at every step."""
    return decode_stepwise(
        decoder,
        source,
        lengths,
        limits,
        _best,
        rules=rules or Rules(limits.never),
        ranking=ranking or Ranking(),
        trace=trace,
        observer=observer,
    )


def _best(log_probabilities: Tensor, sentences: Sequence[int], step: int) -> Tensor:
    del sentences, step
    return log_probabilities.argmax(dim=-1)


_SAMPLES = 0x73616D
"""Sets these random numbers apart from those that draw rows and batches."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """Temperature, top-k, top-p, and the seed."""

    temperature: float = 1.0
    top_k: int = 0
    """0 = all tokens."""
    top_p: float = 1.0
    seed: int = 0

    @classmethod
    def of(cls, settings: DecodingConfig) -> "Sampling":
        """The sampling that the settings ask for."""
        return cls(settings.temperature, settings.top_k, settings.top_p, settings.seed)

    def distribution(self, log_probabilities: Tensor) -> Tensor:
        """The probabilities that tokens are drawn by, (n, v), in float64.

        Temperature first, then the k most probable, then the fewest that reach p; what is left sums to 1,
        or to 0 in a row where no token is allowed.
        """
        given = log_probabilities.double()
        most = given.amax(dim=-1, keepdim=True).clamp(min=torch.finfo(given.dtype).min)
        # Below the most probable: divided by a temperature next to nothing, all of them would be -inf.
        scaled = (given - most) / self.temperature
        if 0 < self.top_k < scaled.shape[-1]:
            least = scaled.topk(self.top_k, dim=-1).values[:, -1:]
            scaled = scaled.masked_fill(scaled < least, NEVER)
        probabilities = scaled.softmax(dim=-1).nan_to_num(0.0)
        if self.top_p < 1:
            ranked, order = probabilities.sort(dim=-1, descending=True, stable=True)
            before = ranked.cumsum(dim=-1) - ranked  # the mass of what is more probable
            cut = torch.zeros_like(ranked, dtype=torch.bool).scatter(1, order, before >= self.top_p)
            probabilities = probabilities.masked_fill(cut, 0.0)
            probabilities = probabilities / probabilities.sum(dim=-1, keepdim=True).clamp(min=1e-300)
        return probabilities


def sample(
    decoder: Decoder[S],
    source: Tensor,
    lengths: Tensor,
    limits: SearchLimits,
    *,
    sampling: Sampling,
    numbers: Sequence[int],
    draw: int = 0,
    rules: Rules | None = None,
    ranking: Ranking | None = None,
    trace: Trace | None = None,
    observer: SearchObserver | None = None,
) -> list[Hypothesis]:
    """Draw one sentence for each source sentence, (b, s) and (b,).

    numbers: the index of each sentence in its text; the token at a step is decided by (seed, number, draw,
             step) and the model, so neither the batch nor an earlier call changes it
    draw:    which sample of the sentence this is, counted from 0
    """
    longest = zip(numbers, limits.max_lengths, strict=True)
    uniform = [
        np.random.default_rng([_SAMPLES, sampling.seed, number, draw]).random(steps)
        for number, steps in longest
    ]

    def choose(log_probabilities: Tensor, sentences: Sequence[int], step: int) -> Tensor:
        cumulated = sampling.distribution(log_probabilities).cumsum(dim=-1)
        drawn = torch.tensor([uniform[s][step] for s in sentences], dtype=torch.float64)
        # Scaled to the last sum, which rounding leaves beside 1: so a token without probability is never hit.
        places = drawn.to(cumulated.device)[:, None] * cumulated[:, -1:]
        tokens = torch.searchsorted(cumulated, places, right=True).squeeze(1)
        return tokens.clamp(max=log_probabilities.shape[-1] - 1)

    return decode_stepwise(
        decoder,
        source,
        lengths,
        limits,
        choose,
        rules=rules or Rules(limits.never),
        ranking=ranking or Ranking(),
        trace=trace,
        observer=observer,
    )
