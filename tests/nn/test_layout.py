"""Packing leaves padding out, and unpacking puts zeros there."""

import pytest
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


def test_heads_by_hand() -> None:
    """Two parts of two heads of width 1: the numbers of a word are part 0 head 0, part 0 head 1, part 1 …"""
    layout = Layout.of(torch.tensor([[True, True], [True, False]]))
    words = torch.tensor([[1.0, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])
    first, second = layout.split(words, 2, 2)  # (b, h, t, 1)
    assert first[0].squeeze(-1).tolist() == [[1, 5], [2, 6]]
    assert second[0].squeeze(-1).tolist() == [[3, 7], [4, 8]]
    assert first[1, :, 0].squeeze(-1).tolist() == [9, 10]
    assert layout.join(second).tolist() == [[3, 4], [7, 8], [11, 12]]


@pytest.mark.parametrize("lengths", [(3, 1), (2, 2), (1, 1)])
def test_heads_come_and_go_without_padding(lengths: tuple[int, ...]) -> None:
    """The same as unpacking and turning the axes; a gradient at padding goes nowhere."""
    layout = Layout.of(torch.arange(max(lengths)) < torch.tensor(lengths)[:, None])
    words = torch.randn(sum(lengths), 3 * 2 * 5, dtype=torch.double, requires_grad=True)
    turned = layout.unpack(words.view(-1, 3, 2, 5)).permute(2, 0, 3, 1, 4)
    for mine, theirs in zip(layout.split(words, 3, 2), turned, strict=True):
        assert mine.is_contiguous() or max(lengths) == 1  # a single place is a view
        assert_close(layout.join(mine), layout.pack(theirs.transpose(1, 2).flatten(2)))
    heads = torch.randn(len(lengths), 2, max(lengths), 5, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(layout.join, heads)
    assert torch.autograd.gradcheck(
        lambda given: [layout.join(part) ** 2 for part in layout.split(given, 3, 2)], words
    )


def test_where_no_row_has_a_word_there_is_nothing_to_split() -> None:
    layout = Layout.of(torch.zeros(2, 3, dtype=torch.bool))
    (heads,) = layout.split(torch.empty(0, 4), 1, 2)
    assert heads.shape == (2, 2, 3, 2)
    assert layout.join(heads).shape == (0, 4)
