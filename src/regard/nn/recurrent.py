"""(Bi)directional RNN, GRU and LSTM over padded batches.

Torch's fused kernels run over whole padded sequences. That is exact without packing: reading forwards,
padding comes after every real word; reading backwards, each sentence is turned around in its own length
first. So a sentence's states do not depend on the batch it is in, and the fast path is kept (packed
sequences would leave it on the CPU).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from regard.config.model import CellName, DecoderConfig, EncoderConfig
from regard.nn.cells import CellState
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.masks import reverse_within

if TYPE_CHECKING:  # a translator needs no settings of language models
    from regard.config.language import RecurrentLMConfig

KERNELS: dict[CellName, type[nn.RNN] | type[nn.GRU] | type[nn.LSTM]] = {
    "rnn": nn.RNN,
    "gru": nn.GRU,
    "lstm": nn.LSTM,
}


class Recurrent(nn.Module):
    """Layers of one cell, each reading the states of the one below; h_j = [→h_j; ←h_j] if bidirectional."""

    def __init__(self, config: EncoderConfig, *, input_size: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.output_size = config.output_size
        self.reverse, self.residual = config.reverse, config.residual
        self.forwards = _layers(config, input_size, self.output_size)
        self.backwards = _layers(config, input_size, self.output_size) if config.bidirectional else None
        self.dropout = Dropout(dropout)

    def forward(
        self, inputs: Tensor, lengths: Tensor, *, rng: DropoutRng | None = None
    ) -> tuple[Tensor, Tensor]:
        """Encode a padded batch.

        inputs:  (b, s, input_size)
        returns: the states (b, s, d), and the last state of each direction side by side, (b, d):
                 →h at the last word, ←h at the first; of a residual layer, those of its cells alone
        """
        states = reverse_within(inputs, lengths) if self.reverse else inputs
        for layer, forwards in enumerate(self.forwards):
            below = states
            if layer:
                states = self.dropout(states, rng)
            reading = [forwards(states)[0]]
            if self.backwards is not None:
                # A thread for each direction looked faster alone (0.72 to 0.9 of the time), and was slower in
                # a whole step of BiLSTM-max on two cores (0.037 s against 0.033).
                mirrored = self.backwards[layer](reverse_within(states, lengths))[0]
                reading.append(reverse_within(mirrored, lengths))
            states = torch.cat(reading, dim=-1)
            if layer and self.residual:
                states = states + below
        rows = torch.arange(len(lengths), device=lengths.device)
        last = [reading[0][rows, lengths - 1]] + [backward[:, 0] for backward in reading[1:]]
        return reverse_within(states, lengths) if self.reverse else states, torch.cat(last, dim=-1)

    def last_of(self, first: Tensor, last: Tensor) -> Tensor:
        """The last states of a text that was encoded in windows, from those of its first and its last window.

        →h ends in the last window, ←h in the first: (b, d) twice -> (b, d)
        """
        if self.backwards is None:
            return first if self.reverse else last
        half = self.output_size // 2
        return torch.cat([last[:, :half], first[:, half:]], dim=-1)


class RecurrentDecoder(nn.Module):
    """Layers of one cell that continue from a state, over one position or many: the cells of a decoder.

    It can be used where a step depends on the step before through the states alone.
    """

    def __init__(
        self, config: "DecoderConfig | RecurrentLMConfig", *, input_size: int, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.residual = config.residual
        self.layers = _layers(config, input_size, config.hidden_size)
        self.dropout = Dropout(dropout)

    def forward(
        self, inputs: Tensor, before: Sequence[CellState], *, rng: DropoutRng | None = None
    ) -> tuple[Tensor, tuple[CellState, ...]]:
        """Run over some positions.

        inputs:  (b, t, input_size)
        before:  the state of each layer
        returns: the highest layer's states, (b, t, d), and the state of each layer after the last position
        """
        states, after = inputs, []
        for number, (layer, state) in enumerate(zip(self.layers, before, strict=True)):
            below = states
            if number:
                states = self.dropout(states, rng)
            parts = tuple(part[None].contiguous() for part in state)
            states, last = layer(states, parts if len(parts) > 1 else parts[0])
            after.append(tuple(part[0] for part in (last if isinstance(last, tuple) else (last,))))
            if number and self.residual:
                states = states + below
        return states, tuple(after)


def _layers(
    config: "EncoderConfig | DecoderConfig | RecurrentLMConfig", input_size: int, output_size: int
) -> nn.ModuleList:
    sizes = [input_size] + [output_size] * (config.layers - 1)
    kernel = KERNELS[config.cell]
    return nn.ModuleList(kernel(size, config.hidden_size, batch_first=True) for size in sizes)
