"""The LSTMN as an encoder of sentences: the states of their words, and the last of them."""

import torch
from torch import Tensor

from regard.nn.lstmn import LSTMN
from regard.nn.noise import Noise
from regard.nn.trace import Trace


class LSTMNEncoder(LSTMN):
    """Reads forwards; each word looks at the states of those before it."""

    def encode(
        self, inputs: Tensor, lengths: Tensor, *, noise: Noise | None = None, trace: Trace | None = None
    ) -> tuple[Tensor, Tensor]:
        """Read a padded batch.

        inputs:  (b, s, input_size)
        lengths: (b,)
        returns: the states, (b, s, d), and that of each sentence's last word, (b, d)
        """
        states, _ = self(inputs, noise=noise, trace=trace)
        return states, states[torch.arange(len(lengths), device=lengths.device), lengths - 1]
