"""Packing: layers that treat each word alone are applied to the real words of a padded batch only."""

from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


@dataclass(frozen=True)
class Layout:
    """Which positions of a batch, (b, t), are not padding."""

    real: Tensor
    """(b, t), bool."""
    places: Tensor | None
    """(n,), their numbers in the flattened batch; None where there is no padding."""
    _orders: "dict[tuple[int, int], _Orders]" = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, real: Tensor) -> "Layout":
        """From (b, t), bool."""
        places = real.flatten().nonzero().squeeze(1)
        return cls(real, None if len(places) == real.numel() else places)

    def pack(self, values: Tensor) -> Tensor:
        """The real words alone, (b, t, …) -> (n, …)."""
        flat = values.flatten(0, 1)
        return flat if self.places is None else flat[self.places]

    def unpack(self, words: Tensor) -> Tensor:
        """The padded batch again, with zeros, (n, …) -> (b, t, …)."""
        shape = (*self.real.shape, *words.shape[1:])
        if self.places is None:
            return words.view(shape)
        empty = words.new_zeros(self.real.numel(), *words.shape[1:])
        return empty.index_copy(0, self.places, words).view(shape)

    def split(self, words: Tensor, parts: int, heads: int) -> Tensor:
        """Words, (n, parts · h · d), as heads of a padded batch, (parts, b, h, t, d).

        At padding stand the values of some word: it must be masked, and never read on from. The products of
        attention want each head in one piece. This makes it so in a single pass; to pad with zeros, to turn
        the axes, and the copies inside of the products took four.
        """
        (rows, count), size = self.real.shape, words.shape[1] // (parts * heads)
        if self.places is None:
            moved = words.view(rows, count, parts, heads, size).permute(2, 0, 3, 1, 4)
            return moved if count == 1 else moved.contiguous()
        if not len(words):
            return words.new_zeros(parts, rows, heads, count, size)
        orders = self._orders_of(parts, heads)
        moved = _Split.apply(words.reshape(-1, size), orders.padded, orders.packed)  # type: ignore[no-untyped-call]
        split: Tensor = moved.view(parts, rows, heads, count, size)
        return split

    def join(self, heads: Tensor) -> Tensor:
        """Heads of a padded batch, (b, h, t, d), side by side in the real words, (n, h · d)."""
        rows, number, count, size = heads.shape
        if self.places is None:
            return heads.transpose(1, 2).reshape(rows * count, number * size)
        moved: Tensor = _Join.apply(heads.reshape(-1, size), self._orders_of(1, number).packed)  # type: ignore[no-untyped-call]
        return moved.view(-1, number * size)

    def _orders_of(self, parts: int, heads: int) -> "_Orders":
        """Made once: all layers have the same."""
        orders = self._orders.get((parts, heads))
        if orders is None:
            orders = self._orders[parts, heads] = _Orders.of(self, parts, heads)
        return orders


@dataclass(frozen=True)
class _Orders:
    """Where rows of heads stand in words, (n, parts, h), and in a padded batch, (parts, b, h, t)."""

    padded: Tensor
    """(parts · b · h · t,), the row of the words that stands there; at padding, one of the first word."""
    packed: Tensor
    """(n · parts · h,), the row of the padded batch that stands there."""

    @classmethod
    def of(cls, layout: Layout, parts: int, heads: int) -> "_Orders":
        (rows, count), device = layout.real.shape, layout.real.device
        places = torch.arange(rows * count, device=device) if layout.places is None else layout.places
        words = torch.zeros(rows * count, dtype=torch.int64, device=device)
        words[places] = torch.arange(len(places), device=device)
        part = torch.arange(parts, device=device)
        head = torch.arange(heads, device=device)
        padded = (words.view(rows, 1, count) * parts + part.view(-1, 1, 1, 1)) * heads + head.view(-1, 1)
        row, place = places // count, places % count
        packed = ((part[:, None] * rows + row.view(-1, 1, 1)) * heads + head) * count + place.view(-1, 1, 1)
        return cls(padded.flatten(), packed.flatten())


class _Split(torch.autograd.Function):
    """Rows of words in the order of the padded batch; what is at padding has no gradient."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor, padded: Tensor, packed: Tensor) -> Tensor:
        ctx.save_for_backward(packed)
        return rows.index_select(0, padded)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, None]:
        (packed,) = ctx.saved_tensors
        return grads[0].index_select(0, packed), None, None


class _Join(torch.autograd.Function):
    """Rows of the padded batch in the order of the words; padding is left out."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor, packed: Tensor) -> Tensor:
        ctx.save_for_backward(packed)
        ctx.size = len(rows)
        return rows.index_select(0, packed)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None]:
        (packed,) = ctx.saved_tensors
        gradient = grads[0].new_zeros(ctx.size, grads[0].shape[1])
        return gradient.index_copy_(0, packed, grads[0]), None
