"""The largest by blocks are the largest."""

import pytest
import torch

from regard.decoding.top import BLOCK, FEWEST, top_k


@pytest.mark.parametrize("size", [3, FEWEST - 1, 8000, 8000 + BLOCK - 1, 8001])
@pytest.mark.parametrize("k", [1, 3, 10])
def test_they_are_what_a_search_through_all_finds(size: int, k: int) -> None:
    k = min(k, size)
    values = torch.randperm(6 * size, generator=torch.Generator().manual_seed(size)).view(2, 3, size).float()
    for given in (values, values.transpose(0, 1)):
        best, places = top_k(given, k)
        expected = given.topk(k, dim=-1)
        assert torch.equal(best, expected.values)
        assert torch.equal(places, expected.indices)


def test_all_in_one_block_and_all_in_the_rest() -> None:
    values = torch.zeros(2, 8010)
    values[0, 70:80] = torch.arange(1.0, 11.0)
    values[1, 8000:] = torch.arange(1.0, 11.0)
    best, places = top_k(values, 10)
    assert best.tolist() == [[float(n) for n in range(10, 0, -1)]] * 2
    assert places.tolist() == [list(range(79, 69, -1)), list(range(8009, 7999, -1))]


def test_what_may_never_be_written_comes_last() -> None:
    values = torch.full((1, 5000), float("-inf"))
    values[0, 4321] = -3.0
    best, places = top_k(values, 4)
    assert best.tolist() == [[-3.0] + 3 * [float("-inf")]]
    assert places[0, 0] == 4321
    assert len(set(places[0].tolist())) == 4


@pytest.mark.parametrize("size", [3, 8000, 8001])
def test_of_no_rows_there_are_none(size: int) -> None:
    best, places = top_k(torch.zeros(0, size), 2)
    assert best.shape == places.shape == (0, 2)
