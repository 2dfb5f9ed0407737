"""(Bi)directional RNN, GRU and LSTM over padded batches.

Torch's fused kernels run over whole padded sequences. That is exact without packing: reading forwards,
padding comes after every real word; reading backwards, each sentence is turned around in its own length
first. So a sentence's states do not depend on the batch it is in, and the fast path is kept (packed
sequences would leave it on the CPU).
"""

import torch
from torch import Tensor, nn

from regard.config.model import CellName
from regard.nn.masks import reverse_within
from regard.nn.noise import Dropout, Noise

KERNELS: dict[CellName, type[nn.RNN] | type[nn.GRU] | type[nn.LSTM]] = {
    "rnn": nn.RNN,
    "gru": nn.GRU,
    "lstm": nn.LSTM,
}


class Recurrent(nn.Module):
    """Layers of one cell, each reading the states of the one below; h_j = [→h_j; ←h_j] if bidirectional."""

    def __init__(
        self,
        cell: CellName,
        *,
        input_size: int,
        hidden_size: int,
        layers: int = 1,
        bidirectional: bool = True,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        directions = 2 if bidirectional else 1
        self.output_size = directions * hidden_size
        sizes = [input_size] + [self.output_size] * (layers - 1)

        def layer_per_size() -> nn.ModuleList:
            return nn.ModuleList(KERNELS[cell](size, hidden_size, batch_first=True) for size in sizes)

        self.forwards = layer_per_size()
        self.backwards = layer_per_size() if bidirectional else None
        self.dropout = Dropout(dropout)

    def forward(
        self, inputs: Tensor, lengths: Tensor, *, noise: Noise | None = None
    ) -> tuple[Tensor, Tensor]:
        """Read a padded batch.

        inputs:  (b, s, input_size)
        returns: the states (b, s, d), and the last state of each direction side by side, (b, d):
                 →h at the last word, ←h at the first
        """
        states = inputs
        for layer, forwards in enumerate(self.forwards):
            if layer:
                states = self.dropout(states, noise)
            reading = [forwards(states)[0]]
            if self.backwards is not None:
                mirrored = self.backwards[layer](reverse_within(states, lengths))[0]
                reading.append(reverse_within(mirrored, lengths))
            states = torch.cat(reading, dim=-1)
        rows = torch.arange(len(lengths), device=lengths.device)
        last = [reading[0][rows, lengths - 1]] + [backward[:, 0] for backward in reading[1:]]
        return states, torch.cat(last, dim=-1)
