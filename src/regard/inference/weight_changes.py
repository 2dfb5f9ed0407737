"""Changes of the attention weights of one sentence: what an edit of it does to a tensor."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from regard.errors import DataError

Apply = Callable[[Tensor, int], Tensor]
"""The weights of one example, (q, k) or (h, q, k), and the step of the first row -> the weights to use."""


@dataclass(frozen=True)
class Change:
    """An edit of one sentence, in its tokens."""

    paths: frozenset[str]
    apply: Apply


def reweight(columns: list[int], factor: float, renormalise: bool) -> Apply:
    """Multiply columns; each row is scaled to the sum that it had where that is wanted."""

    def apply(weights: Tensor, step: int) -> Tensor:
        del step
        changed = weights.clone()
        changed[..., [column for column in columns if column < weights.shape[-1]]] *= factor  # what is there
        if not renormalise:
            return changed
        left = changed.sum(-1, keepdim=True)
        scale = weights.sum(-1, keepdim=True) / left
        return changed * torch.where(left > 0, scale, torch.ones_like(scale))

    return apply


def mask_head(head: int | None, path: str) -> Apply:
    """Put 0 into a head, or into all."""

    def apply(weights: Tensor, step: int) -> Tensor:
        del step
        if head is None:
            return torch.zeros_like(weights)
        heads = weights.view(-1, *weights.shape[-2:])  # an attention without heads has one
        if not 0 <= head < len(heads):
            raise DataError(f"{path} has the heads 0 to {len(heads) - 1}, found head {head}")
        changed = heads.clone()
        changed[head] = 0.0
        return changed.view_as(weights)

    return apply


def mask_hop(hop: int, path: str) -> Apply:
    """The rows of such an attention are its hops, and each is to the sentence what a head is."""

    def apply(weights: Tensor, step: int) -> Tensor:
        del step
        _check_hop(hop, weights, path)
        changed = weights.clone()
        changed[..., hop, :] = 0.0
        return changed

    return apply


def force_hop(hop: int, columns: list[int], path: str) -> Apply:
    """Let a hop attend to columns alone."""

    force = force_row(hop, columns)

    def apply(weights: Tensor, step: int) -> Tensor:
        _check_hop(hop, weights, path)  # no later row will come
        return force(weights, step)

    return apply


def _check_hop(hop: int, weights: Tensor, path: str) -> None:
    hops = weights.shape[-2]
    if not 0 <= hop < hops:
        raise DataError(f"{path} has the hops 0 to {hops - 1}, found hop {hop}")


def force_row(row: int, columns: list[int]) -> Apply:
    """Let a row attend to columns alone, when its step comes."""

    def apply(weights: Tensor, step: int) -> Tensor:
        place = row - step
        if not 0 <= place < weights.shape[-2]:
            return weights
        changed = weights.clone()
        changed[..., place, :] = 0.0
        changed[..., place, columns] = 1 / len(columns)
        return changed

    return apply


def put_in(given: Tensor, path: str) -> Apply:
    """Use given weights in place of the own ones, row by row."""

    def apply(weights: Tensor, step: int) -> Tensor:
        if weights.shape[:-2] != given.shape[:-2]:
            raise DataError(f"{path}: the two models have not as many heads")
        rows = min(weights.shape[-2], given.shape[-2] - step)
        columns = min(weights.shape[-1], given.shape[-1])
        if rows <= 0:
            return weights
        changed = weights.clone()
        changed[..., :rows, :] = 0.0
        changed[..., :rows, :columns] = given[..., step : step + rows, :columns].to(weights)
        return changed

    return apply
