"""Packing leaves padding out, and unpacking puts zeros there."""

import torch
from torch.testing import assert_close

from regard.nn.layout import Layout


def test_packing_by_hand() -> None:
    layout = Layout.of(torch.tensor([[True, True, False], [True, False, False]]))
    values = torch.arange(6.0).view(2, 3, 1)
    assert layout.pack(values).tolist() == [[0.0], [1.0], [3.0]]
    assert layout.unpack(layout.pack(values) + 1).squeeze(-1).tolist() == [[1.0, 2.0, 0.0], [4.0, 0.0, 0.0]]


def test_without_padding_nothing_is_copied() -> None:
    layout = Layout.of(torch.ones(2, 3, dtype=torch.bool))
    values = torch.randn(2, 3, 4)
    assert layout.pack(values).data_ptr() == values.data_ptr()
    assert_close(layout.unpack(layout.pack(values)), values)


def test_the_gradient_finds_its_way_back() -> None:
    layout = Layout.of(torch.tensor([[True, False], [True, True]]))
    values = torch.randn(2, 2, 3, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(lambda given: layout.unpack(layout.pack(given) ** 2), values)
