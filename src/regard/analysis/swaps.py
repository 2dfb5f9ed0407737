"""Other attention in a classifier: uniform, permuted, and as different as an adversary can make it.

Jain and Wallace 2019, "Attention is not Explanation"; Wiegreffe and Pinter 2019, "Attention is not not
Explanation".
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from regard.analysis.reruns import AttentionRerun, Weights, output_change

PERMUTATIONS = 100
EPSILON = 0.01
"""An adversary may change the output by so much: the TVD."""
STARTS = 3
STEPS = 150
_LEARNING_RATE = 0.2
_PENALTY = 500.0
"""Of each unit of TVD beyond ε, as Jain and Wallace have it."""
_AT_ONCE = 32_000_000
"""Numbers in memory at the same time."""


def uniform(rerun: AttentionRerun) -> Weights:
    """The same weight for every key that may have some; a row keeps its sum."""
    found = {}
    for path, own in rerun.weights.items():
        allowed = rerun.allowed[path].to(own.dtype)
        even = allowed / allowed.sum(-1, keepdim=True).clamp(min=1)
        found[path] = even * own.sum(-1, keepdim=True)
    return found


@torch.inference_mode()
def uniform_outputs(rerun: AttentionRerun) -> Tensor:
    """The probabilities with uniform attention, (b, outputs)."""
    return rerun.run(uniform(rerun))


@torch.inference_mode()
def permutation_changes(
    rerun: AttentionRerun, before: Tensor, rng: torch.Generator, *, several: bool, count: int = PERMUTATIONS
) -> Tensor:
    """The TVD of each text under each of its permutations, (count, b).

    A permutation moves the columns of a text: all rows, heads and layers alike.
    """
    together = max(1, _AT_ONCE // max(1, rerun.state_size + _weights_size(rerun)))
    found: list[Tensor] = []
    for first in range(0, count, together):
        copies = min(together, count - first)
        changed = permuted(rerun, copies, rng)
        after = rerun.run(changed, copies).view(copies, rerun.texts, -1)
        found.append(output_change(before, after, several=several))
    return torch.cat(found)


def permuted(rerun: AttentionRerun, copies: int, rng: torch.Generator) -> Weights:
    """The weights of so many copies of the batch, the columns of each text in an order at random."""
    orders: dict[tuple[int, bool], Tensor] = {}
    found = {}
    for path, own in rerun.weights.items():
        real = rerun.allowed[path].flatten(1, -2).any(1)  # (b, k): padding comes last
        key = own.shape[-1], path.startswith("second.")
        if key not in orders:
            draws = torch.rand(copies, *real.shape, generator=rng).masked_fill(~real.cpu(), 2.0)
            orders[key] = draws.argsort(-1).to(own.device).flatten(0, 1)
        order = orders[key].view(-1, *[1] * (own.dim() - 2), own.shape[-1])
        many = own.repeat(copies, *[1] * (own.dim() - 1))
        found[path] = many.gather(-1, order.expand_as(many))
    return found


def adversarial_divergence(
    rerun: AttentionRerun,
    before: Tensor,
    rng: torch.Generator,
    *,
    several: bool,
    epsilon: float = EPSILON,
    starts: int = STARTS,
    steps: int = STEPS,
) -> Tensor:
    """The largest JSD(α, α̃) that is found for each text with TVD(ŷ, ỹ) ≤ ε, (b,); 0 where none is.

    Adam maximises JSD − 500 · max(0, TVD − ε) over the logits of all rows, from several starts at random;
    the best point within ε on the way counts. The JSD is the mean over rows, heads and layers.
    """
    logits = {
        path: torch.randn(starts * len(own), *own.shape[1:], generator=rng).to(own.device).requires_grad_()
        for path, own in rerun.weights.items()
    }
    allowed = {path: _copied(own, starts) for path, own in rerun.allowed.items()}
    original = {path: _copied(own, starts) for path, own in rerun.weights.items()}
    wanted = _copied(before, starts)
    optimizer = torch.optim.Adam(logits.values(), lr=_LEARNING_RATE)
    best = torch.zeros(starts * rerun.texts, dtype=torch.float64, device=before.device)
    for _ in range(steps):
        weights = {
            path: own.masked_fill(~allowed[path], -torch.inf).softmax(-1).nan_to_num(0.0)
            for path, own in logits.items()
        }
        change = output_change(wanted, rerun.run(weights, starts), several=several)
        apart = mean_divergence([(original[path], weights[path]) for path in weights])
        best = torch.where(change.detach() <= epsilon, torch.maximum(best, apart.detach()), best)
        loss = (_PENALTY * (change - epsilon).clamp(min=0.0) - apart).sum()
        for parameter, gradient in zip(
            logits.values(), torch.autograd.grad(loss, list(logits.values())), strict=True
        ):
            parameter.grad = gradient
        optimizer.step()
    return best.view(starts, rerun.texts).amax(0)


def mean_divergence(pairs: Sequence[tuple[Tensor, Tensor]]) -> Tensor:
    """The mean JSD of the rows of each text, over all rows that have weight: (b, …, k) pairs -> (b,)."""
    total, count = torch.zeros(1), torch.zeros(1)
    for one, other in pairs:
        p, q = (_scaled(own.double()) for own in (one, other))
        apart = _entropy((p + q) / 2) - (_entropy(p) + _entropy(q)) / 2
        there = (one.sum(-1) > 0).double()
        total = total + (apart * there).flatten(1).sum(1)
        count = count + there.flatten(1).sum(1)
    return total / count.clamp(min=1)


def _entropy(p: Tensor) -> Tensor:
    return -(p * p.clamp(min=1e-30).log()).sum(-1)


def _scaled(weights: Tensor) -> Tensor:
    return weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)


def _copied(own: Tensor, copies: int) -> Tensor:
    return own.repeat(copies, *[1] * (own.dim() - 1))


def _weights_size(rerun: AttentionRerun) -> int:
    return sum(own.numel() for own in rerun.weights.values())
