"""The matrix products of a training step, whatever the model: seen as they are done, and done again alone."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from bench.products import Product
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

Work = Callable[[], None]


@dataclass
class Recording(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """While it is entered, every product is written down with its shape; backward passes are no exception.

    A fused recurrent layer is one operation for torch. Its products are the inputs of all steps with W_x, and
    the states, step by step, with W_h; each with both gradients, which its backward operation makes.
    """

    single: list[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)
    """The shapes of two factors, done once."""
    layers: list[Product] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Do it, and write it down."""
        del types
        name = func.__name__.split(".")[0].rstrip("_")
        if name in ("mm", "bmm", "mv"):
            self._see(args[0], args[1])
        elif name in ("addmm", "baddbmm", "addmv"):
            self._see(args[1], args[2])
        elif name == "mkldnn_rnn_layer":
            self._see_layer(args[0], args[1], args[2])
        elif any(word in name for word in ("lstm", "gru", "convolution")):
            raise SystemExit(f"{name} has products of its own, which nobody counts")
        return func(*args, **(kwargs or {}))

    def _see(self, left: Tensor, right: Tensor) -> None:
        self.single.append((tuple(left.shape), tuple(right.shape)))

    def _see_layer(self, inputs: Tensor, w_x: Tensor, w_h: Tensor) -> None:
        steps, rows = inputs.shape[:2]
        self.layers.append(Product([steps * rows], w_x.shape[1], w_x.shape[0]))
        self.layers.append(Product([rows] * steps, w_h.shape[1], w_h.shape[0]))

    @property
    def operations(self) -> int:
        """Multiplications and additions of all."""
        once = sum(
            2 * torch.Size(left).numel() * (right[-1] if len(right) > 1 else 1) for left, right in self.single
        )
        return once + sum(layer.operations for layer in self.layers)

    def work(self) -> list[Work]:
        """The same products, of other numbers, into memory that is there already."""
        return [_once(left, right) for left, right in self.single] + [layer.work() for layer in self.layers]


def _once(left: tuple[int, ...], right: tuple[int, ...]) -> Work:
    one, other = torch.randn(left), torch.randn(right)
    made = one @ other

    def do() -> None:
        torch.matmul(one, other, out=made)

    return do
