"""The gate equations, proven against torch's own cells."""

import torch
from torch import nn
from torch.testing import assert_close

from regard.nn.cells import GRUCell, LSTMCell, RNNCell

X, H, B = 3, 5, 2


def test_lstm_gate_equations() -> None:
    """i, f, g, o by their formulas, from torch's weights, give torch's state; and so does our cell.

    Torch stacks its weights as i, f, g, o and has two biases, which are only ever added.
    """
    torch.manual_seed(0)
    theirs = nn.LSTMCell(X, H)
    x, h, c = torch.randn(B, X), torch.randn(B, H), torch.randn(B, H)
    w_xi, w_xf, w_xg, w_xo = theirs.weight_ih.chunk(4)
    w_hi, w_hf, w_hg, w_ho = theirs.weight_hh.chunk(4)
    b_i, b_f, b_g, b_o = (theirs.bias_ih + theirs.bias_hh).chunk(4)

    i = torch.sigmoid(x @ w_xi.T + h @ w_hi.T + b_i)
    f = torch.sigmoid(x @ w_xf.T + h @ w_hf.T + b_f)
    o = torch.sigmoid(x @ w_xo.T + h @ w_ho.T + b_o)
    g = torch.tanh(x @ w_xg.T + h @ w_hg.T + b_g)
    new_c = f * c + i * g
    new_h = o * torch.tanh(new_c)

    their_h, their_c = theirs(x, (h, c))
    assert_close(new_h, their_h)
    assert_close(new_c, their_c)

    ours = LSTMCell(input_size=X, hidden_size=H)
    with torch.no_grad():
        ours.input.weight.copy_(torch.cat([w_xi, w_xf, w_xo, w_xg]))
        ours.hidden.weight.copy_(torch.cat([w_hi, w_hf, w_ho, w_hg]))
        ours.input.bias.copy_(torch.cat([b_i, b_f, b_o, b_g]))
    our_h, our_c = ours(ours.project(x), (h, c))
    assert_close(our_h, their_h)
    assert_close(our_c, their_c)


def test_lstm_by_hand() -> None:
    """All weights zero but the biases: a gate that is wide open, shut, or half open."""
    cell = LSTMCell(input_size=1, hidden_size=1)
    for parameter in cell.parameters():
        nn.init.zeros_(parameter)
    with torch.no_grad():
        cell.input.bias.copy_(torch.tensor([100.0, -100.0, 0.0, 100.0]))  # i = 1, f = 0, o = 1/2, g = 1
    hidden, memory = cell(cell.project(torch.zeros(1, 1)), (torch.zeros(1, 1), torch.full((1, 1), 7.0)))
    assert_close(memory, torch.tensor([[1.0]]))  # the old 7 is forgotten, the new 1 is kept whole
    assert_close(hidden, torch.tensor([[0.5]]) * torch.tensor(1.0).tanh())


def test_gru_equals_torchs() -> None:
    """Same order of gates (r, z, n); torch's second bias of n, which we do not have, is zero."""
    torch.manual_seed(0)
    theirs, ours = nn.GRUCell(X, H), GRUCell(input_size=X, hidden_size=H)
    with torch.no_grad():
        theirs.bias_hh[2 * H :] = 0.0
        ours.input.weight.copy_(theirs.weight_ih)
        ours.hidden.weight.copy_(theirs.weight_hh)
        ours.input.bias.copy_(theirs.bias_ih + theirs.bias_hh)
    x, h = torch.randn(B, X), torch.randn(B, H)
    assert_close(ours(ours.project(x), (h,))[0], theirs(x, h))


def test_rnn_equals_torchs() -> None:
    torch.manual_seed(0)
    theirs, ours = nn.RNNCell(X, H), RNNCell(input_size=X, hidden_size=H)
    with torch.no_grad():
        ours.input.weight.copy_(theirs.weight_ih)
        ours.hidden.weight.copy_(theirs.weight_hh)
        ours.input.bias.copy_(theirs.bias_ih + theirs.bias_hh)
    x, h = torch.randn(B, X), torch.randn(B, H)
    assert_close(ours(ours.project(x), (h,))[0], theirs(x, h))
