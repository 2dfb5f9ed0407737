"""Greedy search: the most probable token at every step."""

from collections.abc import Sequence

from torch import Tensor

from regard.decoding.hypothesis import Hypothesis
from regard.decoding.limits import Limits
from regard.decoding.ranking import Ranking
from regard.decoding.rules.rule import Rules
from regard.decoding.walk import walk
from regard.nn.step import Decoder, S
from regard.nn.trace import Trace


def greedy_search(
    decoder: Decoder[S],
    source: Tensor,
    lengths: Tensor,
    limits: Limits,
    *,
    rules: Rules | None = None,
    ranking: Ranking | None = None,
    trace: Trace | None = None,
) -> list[Hypothesis]:
    """Write one sentence for each source sentence, (b, s) and (b,)."""
    rules, ranking = rules or Rules(limits.never), ranking or Ranking()
    return walk(decoder, source, lengths, limits, _best, rules=rules, ranking=ranking, trace=trace)


def _best(log_probabilities: Tensor, sentences: Sequence[int], step: int) -> Tensor:
    del sentences, step
    return log_probabilities.argmax(dim=-1)
