import torch

from regard.nn.masks import padding_mask, reverse_within


def test_padding_mask() -> None:
    expected = [[True, False, False], [True, True, True]]
    assert padding_mask(torch.tensor([1, 3]), 3).tolist() == expected


def test_each_sequence_is_turned_around_in_its_own_length() -> None:
    values = torch.tensor([[1, 2, 3, 0, 0], [1, 2, 3, 4, 5]])[:, :, None]
    turned = reverse_within(values, torch.tensor([3, 5]))
    assert turned[:, :, 0].tolist() == [[3, 2, 1, 0, 0], [5, 4, 3, 2, 1]]
