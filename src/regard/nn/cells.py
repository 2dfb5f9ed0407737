"""Recurrent cells, one step each, as the literature writes them.

The part of a step that does not depend on the state, W x + b, is made for all positions at once by
`project`; a step adds the rest. A state is a tuple of (b, d) tensors, of which the first is shown.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from regard.config.model import CellName
from regard.nn.linear import Linear
from regard.nn.shared import linear, shared

CellState = tuple[Tensor, ...]
CellStep = Callable[[Tensor, CellState], CellState]
"""(b, gates · d) and the state before a step, to the state after it."""


class Cell(nn.Module, ABC):
    """What the cells share: gates · d values from the input, gates · d from the state."""

    gates: int
    states: int = 1

    def __init__(self, *, input_size: int, hidden_size: int) -> None:
        super().__init__()
        self.hidden_size = hidden_size
        self.input = Linear(input_size, self.gates * hidden_size)  # W_x, b
        self.hidden = Linear(hidden_size, self.gates * hidden_size, bias=False)  # W_h

    def project(self, inputs: Tensor) -> Tensor:
        """W_x x + b for any number of positions, (…, input_size) -> (…, gates · d)."""
        projected: Tensor = self.input(inputs)
        return projected

    def steps(self) -> CellStep:
        """The cell for all steps of a loop: the gradient of W_h is made once, after the last."""
        weight = shared(self.hidden.weight)
        return lambda projected, state: self.advance(projected, linear(state[0], weight), state)

    def forward(self, projected: Tensor, state: CellState) -> CellState:
        """One step: (b, gates · d) and the state before it, to the state after it."""
        return self.steps()(projected, state)

    @abstractmethod
    def advance(self, projected: Tensor, recurrent: Tensor, state: CellState) -> CellState:
        """One step, from W_x x + b and W_h h, (b, gates · d) each."""


class RNNCell(Cell):
    """h_t = tanh(W_x x_t + W_h h_{t-1} + b), Elman 1990."""

    gates = 1

    def advance(self, projected: Tensor, recurrent: Tensor, state: CellState) -> CellState:
        """One step."""
        del state
        return ((projected + recurrent).tanh(),)


class GRUCell(Cell):
    """The gated recurrent unit of Cho et al. 2014, with the reset gate after the product.

    r = σ(W_xr x + W_hr h + b_r), z = σ(W_xz x + W_hz h + b_z), n = tanh(W_xn x + b_n + r ⊙ (W_hn h));
    h_t = (1 - z) ⊙ n + z ⊙ h_{t-1}. r: how much of the old enters the new; z: how much of the old is kept.
    """

    gates = 3

    def advance(self, projected: Tensor, recurrent: Tensor, state: CellState) -> CellState:
        """One step."""
        (hidden,) = state
        size = self.hidden_size
        inputs_rz, inputs_n = torch.split(projected, [2 * size, size], dim=1)
        hidden_rz, hidden_n = torch.split(recurrent, [2 * size, size], dim=1)
        r, z = (inputs_rz + hidden_rz).sigmoid().chunk(2, dim=1)
        n = (inputs_n + r * hidden_n).tanh()
        return (n + z * (hidden - n),)


class LSTMCell(Cell):
    """The LSTM of Hochreiter and Schmidhuber 1997, with the forget gate of Gers et al. 2000.

    i = σ(W_xi x + W_hi h + b_i), f = σ(W_xf x + W_hf h + b_f), o = σ(W_xo x + W_ho h + b_o),
    g = tanh(W_xg x + W_hg h + b_g); C_t = f ⊙ C_{t-1} + i ⊙ g; h_t = o ⊙ tanh(C_t).
    i: how much of the new is kept; f: how much of the old; o: how much is shown.
    The gates lie in the order i, f, o, g, so that one sigmoid serves three of them.
    """

    gates = 4
    states = 2

    def advance(self, projected: Tensor, recurrent: Tensor, state: CellState) -> CellState:
        """One step."""
        return lstm_step(projected, recurrent, state[1])


class _LSTMGates(torch.autograd.Function):
    """All of an LSTM's step but its products, its gradient written out: half as many passes as autograd's."""

    @staticmethod
    def forward(
        ctx: Any, projected: Tensor, recurrent: Tensor, memory: Tensor, added: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        gates = projected + recurrent
        hidden, after, shown = lstm_update(gates, memory, added)
        ctx.save_for_backward(gates, memory, shown)
        return hidden, after

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_hidden: Tensor, d_after: Tensor) -> tuple[Tensor | None, ...]:
        gates, memory, shown = ctx.saved_tensors
        d_gates, d_sum = lstm_gradient(gates, memory, shown, d_hidden, d_after)
        f = gates.chunk(4, dim=1)[1]
        return d_gates, d_gates, d_sum * f, d_sum if ctx.needs_input_grad[3] else None


def lstm_step(
    projected: Tensor, recurrent: Tensor, memory: Tensor, added: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """h_t and C_t from W_x x + b and W_h h, (b, 4d) each, and the memory before, (b, d).

    added: (b, d), a third summand of C_t
    """
    after: tuple[Tensor, Tensor] = _LSTMGates.apply(projected, recurrent, memory, added)  # type: ignore[no-untyped-call]
    return after


def lstm_update(gates: Tensor, memory: Tensor, added: Tensor | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """h_t, C_t and tanh C_t from W_x x + W_h h + b, (b, 4d), which are turned into the gates; no gradient."""
    size = gates.shape[1] // 4
    i, f, o = gates[:, : 3 * size].sigmoid_().chunk(3, dim=1)
    g = gates[:, 3 * size :].tanh_()
    after = torch.addcmul(f * memory, i, g)
    if added is not None:
        after += added
    shown = after.tanh()
    return o * shown, after, shown


def lstm_gradient(
    gates: Tensor, memory: Tensor, shown: Tensor, d_hidden: Tensor, d_after: Tensor
) -> tuple[Tensor, Tensor]:
    """The gradients of what the gates were made of, (b, 4d), and of the summands of C_t, (b, d)."""
    i, _, o, g = gates.chunk(4, dim=1)
    d_shown = d_hidden * o
    d_sum = d_after + torch.addcmul(d_shown, d_shown * shown, shown, value=-1)  # tanh' = 1 - tanh²
    d_gates = torch.empty_like(gates)
    d_i, d_f, d_o, d_g = d_gates.chunk(4, dim=1)
    torch.mul(d_sum, g, out=d_i)
    torch.mul(d_sum, memory, out=d_f)
    torch.mul(d_hidden, shown, out=d_o)
    torch.mul(d_sum, i, out=d_g)
    size = i.shape[1]
    squeezed = gates[:, : 3 * size]
    d_gates[:, : 3 * size].mul_(torch.addcmul(squeezed, squeezed, squeezed, value=-1))  # σ' = σ - σ²
    d_g.sub_(d_g * g * g)
    return d_gates, d_sum


CELLS: dict[CellName, type[Cell]] = {"rnn": RNNCell, "gru": GRUCell, "lstm": LSTMCell}
