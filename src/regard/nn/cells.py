"""Recurrent cells, one step each, as the literature writes them.

The part of a step that does not depend on the state, W x + b, is made for all positions at once by
`project`; `forward` adds the rest. A state is a tuple of (b, d) tensors, of which the first is shown.
"""

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn

from regard.config.model import CellName

CellState = tuple[Tensor, ...]


class Cell(nn.Module, ABC):
    """What the cells share: gates · d values from the input, gates · d from the state."""

    gates: int
    states: int = 1

    def __init__(self, *, input_size: int, hidden_size: int) -> None:
        super().__init__()
        self.hidden_size = hidden_size
        self.input = nn.Linear(input_size, self.gates * hidden_size)  # W_x, b
        self.hidden = nn.Linear(hidden_size, self.gates * hidden_size, bias=False)  # W_h

    def project(self, inputs: Tensor) -> Tensor:
        """W_x x + b for any number of positions, (…, input_size) -> (…, gates · d)."""
        projected: Tensor = self.input(inputs)
        return projected

    @abstractmethod
    def forward(self, projected: Tensor, state: CellState) -> CellState:
        """One step: (b, gates · d) and the state before it, to the state after it."""


class RNNCell(Cell):
    """h_t = tanh(W_x x_t + W_h h_{t-1} + b), Elman 1990."""

    gates = 1

    def forward(self, projected: Tensor, state: CellState) -> CellState:
        """One step."""
        (hidden,) = state
        return ((projected + self.hidden(hidden)).tanh(),)


class GRUCell(Cell):
    """The gated recurrent unit of Cho et al. 2014, with the reset gate after the product.

    r = σ(W_xr x + W_hr h + b_r), z = σ(W_xz x + W_hz h + b_z), n = tanh(W_xn x + b_n + r ⊙ (W_hn h));
    h_t = (1 - z) ⊙ n + z ⊙ h_{t-1}. r: how much of the old enters the new; z: how much of the old is kept.
    """

    gates = 3

    def forward(self, projected: Tensor, state: CellState) -> CellState:
        """One step."""
        (hidden,) = state
        size = self.hidden_size
        inputs_rz, inputs_n = torch.split(projected, [2 * size, size], dim=1)
        recurrent: Tensor = self.hidden(hidden)
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

    def forward(self, projected: Tensor, state: CellState) -> CellState:
        """One step."""
        hidden, memory = state
        size = self.hidden_size
        gates, new = torch.split(projected + self.hidden(hidden), [3 * size, size], dim=1)
        i, f, o = gates.sigmoid().chunk(3, dim=1)
        memory = f * memory + i * new.tanh()
        return o * memory.tanh(), memory


CELLS: dict[CellName, type[Cell]] = {"rnn": RNNCell, "gru": GRUCell, "lstm": LSTMCell}
