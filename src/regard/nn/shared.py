"""What every step of a loop reads: its gradient is made once, after the last step, not once a step.

Left to autograd, a recurrent weight of 512 x 2,048 gets a gradient of 4 MB at each step, from a product
over a few rows, which is then added to the sum. Collected, it is one product over the rows of all steps. The
same holds for the memory of an attention: the source states, and the keys made from them.

    weight = shared(weight)                    before the loop
    linear(x, weight), weighted_sum(α, h), …   in the loop: as usual

Autograd runs the node that `shared` leaves when all its readers have run; that is when it adds up.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from regard.nn.linear import linear as product

Part = tuple[Tensor, ...]


class _Parts:
    """What the readers of a shared tensor leave in one backward pass.

    A pass that does not ask for the gradient of the shared tensor leaves parts that nobody takes; they must
    not count in the next one.
    """

    def __init__(self, total: Callable[[list[Part]], Tensor]) -> None:
        self._total = total
        self._pass = -1
        self._parts: list[Part] = []

    def now(self) -> list[Part]:
        """Those of the pass that is running."""
        running = torch._C._current_graph_task_id()
        if running != self._pass:
            self._pass, self._parts = running, []
        return self._parts

    def total(self) -> Tensor | None:
        """The gradient that they make together, or None; they are as large as the loop, and are let go."""
        parts = self.now()
        made = self._total(parts) if parts else None
        parts.clear()
        return made


class _Shared(torch.autograd.Function):
    """The tensor itself; backwards, what its readers left."""

    @staticmethod
    def forward(ctx: Any, tensor: Tensor) -> Tensor:
        ctx.set_materialize_grads(False)
        ctx.readers = {}
        return tensor.view_as(tensor)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor | None) -> Tensor | None:
        for parts in ctx.readers.values():
            own = parts.total()
            if own is not None:
                gradient = own if gradient is None else gradient + own
        return gradient


def shared(tensor: Tensor) -> Tensor:
    """Mark a tensor that every step of a loop reads; where no gradient is wanted, it is as it was."""
    if not (torch.is_grad_enabled() and tensor.requires_grad):
        return tensor
    marked: Tensor = _Shared.apply(tensor)  # type: ignore[no-untyped-call]
    return marked


def _parts(tensor: Tensor, total: Callable[[list[Part]], Tensor]) -> _Parts | None:
    """Where a reader of this tensor leaves its part of the gradient; None if nobody collects it."""
    readers: dict[Any, _Parts] | None = getattr(tensor.grad_fn, "readers", None)
    if readers is None or not torch.is_grad_enabled():
        return None
    return readers.setdefault(total, _Parts(total))


class _Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, parts: _Parts) -> Tensor:
        ctx.save_for_backward(x, weight)
        ctx.parts = parts
        return x @ weight.t()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        x, weight = ctx.saved_tensors
        ctx.parts.now().append((x, gradient))
        return gradient @ weight, None, None


def _total_linear(parts: list[Part]) -> Tensor:
    inputs, gradients = (torch.cat(side) for side in zip(*parts, strict=True))
    return gradients.t() @ inputs


def linear(x: Tensor, weight: Tensor) -> Tensor:
    """(b, i) and (o, i) -> (b, o)."""
    parts = _parts(weight, _total_linear)
    if parts is None:
        return product(x, weight)
    made: Tensor = _Linear.apply(x, weight, parts)  # type: ignore[no-untyped-call]
    return made


class _WeightedSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weights: Tensor, values: Tensor, parts: _Parts) -> Tensor:
        ctx.save_for_backward(weights, values)
        ctx.parts = parts
        return weights @ values

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        weights, values = ctx.saved_tensors
        ctx.parts.now().append((weights, gradient))
        return gradient @ values.mT, None, None


def _total_weighted_sum(parts: list[Part]) -> Tensor:
    weights, gradients = (torch.cat(side, dim=1) for side in zip(*parts, strict=True))  # (b, t, k), (b, t, d)
    return weights.mT @ gradients


def weighted_sum(weights: Tensor, values: Tensor) -> Tensor:
    """(b, q, k) and (b, k, d) -> (b, q, d)."""
    parts = _parts(values, _total_weighted_sum)
    if parts is None:
        return weights @ values
    context: Tensor = _WeightedSum.apply(weights, values, parts)  # type: ignore[no-untyped-call]
    return context


def _gate(query: Tensor, keys: Tensor) -> Tensor:
    """σ(2 (q + k)), (b, q, k, d), of which tanh(q + k) is twice as much, less 1.

    On a CPU torch's tanh takes 2.6 ns a value and its sigmoid 0.4; of a beam search, tanh was a tenth.
    """
    return torch.add(2 * query[:, :, None], keys[:, None], alpha=2).sigmoid_()


class _AdditiveEnergy(torch.autograd.Function):
    """v · tanh(q + k). With g = σ(2 (q + k)), d e / d q = 4 v ⊙ (g - g²): 4 v is multiplied in at the end."""

    @staticmethod
    def forward(ctx: Any, query: Tensor, keys: Tensor, v: Tensor, parts: _Parts | None) -> Tensor:
        gate = _gate(query, keys)
        ctx.save_for_backward(gate, v)
        ctx.parts = parts
        return 2 * (gate @ v) - v.sum()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor | None, Tensor, None]:
        gate, v = ctx.saved_tensors
        rows = gradient[:, :, None]  # (b, q, 1, k)
        d_v = 2 * (rows @ gate).sum(dim=(0, 1, 2)) - gradient.sum()
        slope = torch.addcmul(gate, gate, gate, value=-1)
        d_query = 4 * v * (rows @ slope).squeeze(2)
        slope.mul_(gradient[..., None])
        pulled = slope.squeeze(1) if slope.shape[1] == 1 else slope.sum(1)  # (b, k, d)
        if ctx.parts is None:
            return d_query, 4 * v * pulled, d_v, None
        parts = ctx.parts.now()
        for own, own_v in parts:
            if own_v.data_ptr() == v.data_ptr():  # the same score in an earlier step
                own.add_(pulled)
                break
        else:
            parts.append((pulled, v))
        return d_query, None, d_v, None


def _total_additive_energy(parts: list[Part]) -> Tensor:
    gradients = [4 * v * pulled for pulled, v in parts]
    return gradients[0] if len(gradients) == 1 else torch.stack(gradients).sum(0)


def additive_energy(query: Tensor, keys: Tensor, v: Tensor) -> Tensor:
    """v · tanh(q + k) of every query with every key, (b, q, d), (b, k, d) and (d,) -> (b, q, k)."""
    if not torch.is_grad_enabled():
        return 2 * (_gate(query, keys) @ v) - v.sum()
    energy: Tensor = _AdditiveEnergy.apply(  # type: ignore[no-untyped-call]
        query, keys, v, _parts(keys, _total_additive_energy)
    )
    return energy
