"""Places by their formulas."""

import math

import pytest
import torch
from torch.testing import assert_close

from regard.nn.positions import sinusoids, turned


def test_sinusoids_by_hand() -> None:
    """Width 4: frequencies 1 and 1/100."""
    found = sinusoids(torch.tensor([0, 3]), 4, torch.empty(0))
    expected = [[0.0, 0.0, 1.0, 1.0], [math.sin(3), math.sin(0.03), math.cos(3), math.cos(0.03)]]
    assert_close(found, torch.tensor(expected))


def test_a_turn_by_hand() -> None:
    """Width 2: (1, 0) at place 2 is turned by two radians."""
    found = turned(torch.tensor([[[[1.0, 0.0]]]]), torch.tensor([2]))
    assert found[0, 0, 0].tolist() == pytest.approx([math.cos(2), math.sin(2)])


def test_turned_vectors_know_their_distance_alone() -> None:
    query, key = torch.randn(2, 1, 1, 1, 8, dtype=torch.double)

    def score(at: int, other: int) -> float:
        one, two = turned(query, torch.tensor([at])), turned(key, torch.tensor([other]))
        return float((one * two).sum())

    assert score(5, 2) == pytest.approx(score(105, 102), abs=1e-12)
    assert score(5, 2) != pytest.approx(score(5, 3), abs=1e-6)
