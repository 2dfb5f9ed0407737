from typing import get_args

import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.testing import assert_close

from regard.config.model import CellName, EncoderConfig
from regard.nn.recurrent import KERNELS, Recurrent

B, S, X, H = 3, 5, 4, 6
LENGTHS = torch.tensor([2, 5, 3])


@pytest.mark.parametrize("cell", get_args(CellName))
@pytest.mark.parametrize("bidirectional", [False, True])
def test_it_equals_torchs_packed_network(cell: CellName, bidirectional: bool) -> None:
    """Two layers, sentences of different lengths: torch packs, we pad; the states are the same."""
    torch.manual_seed(0)
    config = EncoderConfig(cell=cell, hidden_size=H, layers=2, bidirectional=bidirectional)
    ours = Recurrent(config, input_size=X)
    theirs = KERNELS[cell](X, H, num_layers=2, bidirectional=bidirectional, batch_first=True)
    copy_weights(ours, theirs)
    inputs = torch.randn(B, S, X)
    packed = pack_padded_sequence(inputs, LENGTHS, batch_first=True, enforce_sorted=False)
    out, last = theirs(packed)
    expected, _ = pad_packed_sequence(out, batch_first=True, total_length=S)
    states, summary = ours(inputs, LENGTHS)
    real = torch.arange(S) < LENGTHS[:, None]
    assert_close(states[real], expected[real])
    hidden: Tensor = last[0] if isinstance(last, tuple) else last
    top = hidden[-2:] if bidirectional else hidden[-1:]
    assert_close(summary, torch.cat(list(top), dim=-1))


def copy_weights(ours: Recurrent, theirs: nn.RNNBase) -> None:
    directions = [("", ours.forwards)]
    if ours.backwards is not None:
        directions.append(("_reverse", ours.backwards))
    with torch.no_grad():
        for suffix, layers in directions:
            for layer, own in enumerate(layers):
                for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
                    getattr(theirs, f"{kind}_l{layer}{suffix}").copy_(getattr(own, f"{kind}_l0"))
