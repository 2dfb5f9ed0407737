"""Which positions exist. The one rule: bool, True = may be attended to."""

from typing import Any

import torch
from torch import Tensor


def padding_mask(lengths: Tensor, size: int) -> Tensor:
    """True where a batch has a real token, (b,) -> (b, size)."""
    return torch.arange(size, device=lengths.device) < lengths[:, None]


def reverse_within(values: Tensor, lengths: Tensor) -> Tensor:
    """Turn each sequence around in its own length; padding stays where it is. (b, s, d) -> (b, s, d)."""
    rows, size = values.shape[:2]
    positions = torch.arange(size, device=values.device)
    mirrored = lengths[:, None] - 1 - positions  # (b, s)
    index = torch.where(mirrored >= 0, mirrored, positions)
    first = torch.arange(0, rows * size, size, device=values.device)
    turned: Tensor = _Turned.apply(values, (first[:, None] + index).flatten())  # type: ignore[no-untyped-call]
    return turned


class _Turned(torch.autograd.Function):
    """Vectors in another order, which turns itself back: so does the gradient.

    Whole vectors are copied, and none is added to another one: a fifth of the time of `gather`.
    """

    @staticmethod
    def forward(ctx: Any, values: Tensor, order: Tensor) -> Tensor:
        ctx.save_for_backward(order)
        return values.flatten(0, 1).index_select(0, order).view_as(values)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        (order,) = ctx.saved_tensors
        turned: Tensor = _Turned.apply(gradient, order)  # type: ignore[no-untyped-call]
        return turned, None
