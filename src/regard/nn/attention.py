"""A score, a place to look, one softmax, one weighted sum."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from regard.errors import ShapeError
from regard.nn.scores import Explained, Score
from regard.nn.trace import Asked, Trace


def masked_softmax(scores: Tensor, mask: Tensor | None) -> Tensor:
    """Turn scores into weights over keys. The only softmax over keys in regard.

    scores:  (..., q, k)
    mask:    broadcastable to scores, True = this key may be looked at; None = all keys
    returns: (..., q, k); each row sums to 1, or to 0 where no key is allowed
    """
    if mask is None:
        return scores.softmax(dim=-1)
    if mask.dtype is not torch.bool:
        raise ShapeError(f"mask must be bool (True = may be looked at), got {mask.dtype}")
    weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1)
    return weights.masked_fill(~mask, 0.0)


@dataclass(frozen=True, slots=True)
class Memory:
    """What is looked at: prepared keys (b, k, …), values (b, k, d), and the mask (b, k) of real ones."""

    prepared: Tensor
    values: Tensor
    mask: Tensor

    def select(self, rows: Tensor) -> "Memory":
        """The memory of these rows of the batch, in this order."""
        return Memory(self.prepared[rows], self.values[rows], self.mask[rows])


class Attention(nn.Module):
    """c = Σ_j α_j h_j with α = softmax(score(s, h_j)), over all keys that exist."""

    def __init__(self, score: Score) -> None:
        super().__init__()
        self.score = score

    def remember(self, values: Tensor, mask: Tensor) -> Memory:
        """Prepare values (b, k, d) and their mask (b, k), once per source sentence."""
        return Memory(self.score.prepare(values), values, mask)

    def forward(self, query: Tensor, memory: Memory, *, trace: Trace | None = None) -> Tensor:
        """The context of each query, (b, q, query_size) -> (b, q, d)."""
        mask = memory.mask[:, None]
        weights = masked_softmax(self.score(query, memory.prepared), mask)
        if trace is not None:
            weights = trace.see(self, weights, Asked(query, memory.prepared, memory.values, mask))
        return weights @ memory.values

    def explain(self, query: Tensor, keys: Tensor) -> Explained:
        """How the score compared one query, (query_size,), with prepared keys, (k, …)."""
        return self.score.explain(query, keys)
