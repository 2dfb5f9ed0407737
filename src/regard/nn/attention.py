"""Attention: a score, a window (Luong et al. 2015), one softmax, one weighted sum."""

from dataclasses import dataclass, replace
from typing import Protocol

import torch
from torch import Tensor, nn

from regard.config.model import AttentionConfig
from regard.errors import RegardError, ShapeError
from regard.nn.linear import Linear
from regard.nn.masks import padding_mask
from regard.nn.scores import Explained, Score
from regard.nn.shared import shared, weighted_sum
from regard.nn.trace import AttentionInputs, Trace


class AttentionWindow(Protocol):
    """Which source positions each query may attend to."""

    def __call__(
        self, query: Tensor, lengths: Tensor, size: int, position: int
    ) -> tuple[Tensor, Tensor | None]:
        """Lay a window over the source for every query.

        query:    (b, q, d)
        lengths:  (b,), the real length of each sentence
        size:     source positions in the batch, padding included
        position: target position of the first query
        returns:  the mask of each, bool; and what its softmax is multiplied by there, or None; both
                  (b, q, size)
        """
        ...


class LocalM(nn.Module):
    """Monotonic: 2 D + 1 positions around that of the target word, or around the last."""

    def __init__(self, reach: int) -> None:
        super().__init__()
        self.reach = reach

    def forward(self, query: Tensor, lengths: Tensor, size: int, position: int) -> tuple[Tensor, None]:
        """Lay the window."""
        steps = torch.arange(position, position + query.shape[1], device=query.device)
        centre = torch.minimum(steps, lengths[:, None] - 1)  # (b, q)
        return (_places(query, size) - centre[..., None]).abs() <= self.reach, None


class LocalP(nn.Module):
    """Predictive: around p = S · σ(v · tanh(W s)), multiplied by exp(-(j - p)² / (2 (D / 2)²)).

    S is the real length of the sentence. The softmax is taken over the window, then the Gaussian takes mass
    away: a row sums to less than 1, unless `Attention` renormalises it.

    monotone: p = S · σ(v · tanh(W s) + logit((t + ½) / S)), where t is the target position: what is predicted
              is how far to go from the diagonal, and not where on it. A target that is longer than the source
              stays at its last word.
    """

    def __init__(self, *, query_size: int, reach: int, monotone: bool = False) -> None:
        super().__init__()
        self.reach = reach
        self.monotone = monotone
        self.query = Linear(query_size, query_size, bias=False)  # W
        self.centre = Linear(query_size, 1, bias=False)  # v

    def forward(self, query: Tensor, lengths: Tensor, size: int, position: int) -> tuple[Tensor, Tensor]:
        """Lay the window."""
        raw = self.centre(self.query(query).tanh())  # (b, q, 1)
        if self.monotone:
            steps = torch.arange(position, position + query.shape[1], device=query.device)
            nearest = torch.minimum(steps, lengths[:, None] - 1).to(raw.dtype) + 0.5  # (b, q)
            raw = raw + torch.logit(nearest / lengths[:, None])[..., None]
        centre = lengths[:, None, None] * raw.sigmoid()
        distance = _places(query, size) - centre
        return distance.abs() <= self.reach, (-2 * (distance / self.reach) ** 2).exp()


def _places(query: Tensor, size: int) -> Tensor:
    return torch.arange(size, device=query.device)


def build_window(config: AttentionConfig, *, query_size: int) -> AttentionWindow | None:
    """The window that the settings name; None = global attention."""
    if config.window == "local_m":
        return LocalM(config.reach)
    if config.window == "local_p":
        return LocalP(query_size=query_size, reach=config.reach, monotone=config.centre == "monotone")
    return None


def masked_softmax(scores: Tensor, mask: Tensor | None) -> Tensor:
    """Turn scores into weights over keys. The only softmax over keys in regard.

    scores:  (..., q, k)
    mask:    broadcastable to scores, True = this key may be attended to; None = all keys
    returns: (..., q, k); each row sums to 1, or to 0 where no key is allowed
    """
    if mask is None:
        return scores.softmax(dim=-1)
    if mask.dtype is not torch.bool:
        raise ShapeError(f"mask must be bool (True = may be attended to), got {mask.dtype}")
    weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1)
    return weights.masked_fill(~mask, 0.0)


@dataclass(frozen=True, slots=True)
class Memory:
    """What is attended to: keys and values."""

    prepared: Tensor
    """(b, k, …), the keys, as the score wants them."""
    values: Tensor
    """(b, k, d)."""
    mask: Tensor
    """(b, k), True for those that are real."""
    lengths: Tensor
    """(b,), how many are real."""

    def select(self, rows: Tensor) -> "Memory":
        """The memory of these rows of the batch, in this order."""
        return Memory(self.prepared[rows], self.values[rows], self.mask[rows], self.lengths[rows])


class Attention(nn.Module):
    """c = Σ_j α_j h_j with α = softmax(score(s, h_j)), over all keys that exist, or those in a window.

    With coverage, the attention that a key has received so far is a part of it: key_j + w coverage_j. In
    the additive score this is v · tanh(W s + U h_j + w coverage_j), as in See et al. 2017.

    renormalise: divide what a window has multiplied by its sum
    """

    def __init__(
        self,
        score: Score,
        window: AttentionWindow | None = None,
        *,
        renormalise: bool = False,
        coverage_size: int | None = None,
    ) -> None:
        super().__init__()
        self.score = score
        self.window = window
        self.renormalise = renormalise
        self.coverage = Linear(1, coverage_size, bias=False) if coverage_size is not None else None

    def remember(self, values: Tensor, lengths: Tensor) -> Memory:
        """Prepare values (b, k, d), of which the first (b,) are real, once per source sentence."""
        mask = padding_mask(lengths, values.shape[1])
        return Memory(shared(self.score.prepare(values)), shared(values), mask, lengths)

    def forward(
        self,
        query: Tensor,
        memory: Memory,
        *,
        position: int = 0,
        coverage: Tensor | None = None,
        trace: Trace | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The context of each query, (b, q, query_size) -> (b, q, d), and its weights, (b, q, k).

        position: target position of the first query
        coverage: (b, k), the attention that each key has received so far; then one query a row
        """
        mask, factor, keys = memory.mask[:, None], None, memory.prepared
        if self.window is not None:
            inside, factor = self.window(query, memory.lengths, mask.shape[-1], position)
            mask = mask & inside
        if self.coverage is not None and coverage is not None:
            keys = keys + self.coverage(coverage[..., None])
        weights = masked_softmax(self.score(query, keys), mask)
        if factor is not None:
            if self.renormalise:  # a window without any real word has no weights, and keeps none
                left = (weights * factor).sum(dim=-1, keepdim=True)
                factor = factor / left.masked_fill(left == 0, 1.0)
            weights = weights * factor
        if trace is not None:
            weights = trace.capture(self, weights, AttentionInputs(query, keys, memory.values, mask, factor))
        return weighted_sum(weights, memory.values), weights

    def explain(self, query: Tensor, keys: Tensor) -> Explained:
        """How the score compared one query, (query_size,), with prepared keys, (k, …)."""
        explain = getattr(self.score, "explain", None)
        if explain is None:
            raise RegardError(
                f"the score {type(self.score).__name__} does not explain itself; give it an `explain`, as "
                "regard.nn.scores has it"
            )
        told: Explained = explain(query, keys)
        if self.coverage is None:
            return told
        return replace(told, formula=f"{told.formula}, with w coverage_j added to the key of h_j")
