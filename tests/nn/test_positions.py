"""Places by their formulas."""

import math

import pytest
import torch
from torch.testing import assert_close

from regard.nn.positions import apply_rotary, sinusoids


def test_sinusoids_by_hand() -> None:
    """Width 4: frequencies 1 and 1/100."""
    found = sinusoids(0, 4, 4, torch.empty(0))
    assert_close(found[0], torch.tensor([0.0, 0.0, 1.0, 1.0]))
    assert_close(found[3], torch.tensor([math.sin(3), math.sin(0.03), math.cos(3), math.cos(0.03)]))
    assert_close(sinusoids(3, 1, 4, torch.empty(0)), found[3:])


def test_far_sinusoids() -> None:
    """Beyond every table so far; float32 would not know the angle of place 100,000."""
    (found,) = sinusoids(100_000, 1, 4, torch.empty(0))
    assert found.tolist() == pytest.approx(
        [math.sin(1e5), math.sin(1e3), math.cos(1e5), math.cos(1e3)], abs=1e-6
    )


def test_one_can_train_with_what_a_search_has_made() -> None:
    width = 6  # of no other test
    with torch.inference_mode():
        sinusoids(0, 3, width, torch.empty(0))
    words = torch.ones(3, width, requires_grad=True)
    (gradient,) = torch.autograd.grad((words * sinusoids(0, 3, width, words)).sum(), words)
    assert_close(gradient, sinusoids(0, 3, width, words))


def test_a_turn_by_hand() -> None:
    """Width 2: (1, 0) at place 2 is turned by two radians."""
    found = apply_rotary(torch.tensor([[[[1.0, 0.0]]]]), torch.tensor([2]))
    assert found[0, 0, 0].tolist() == pytest.approx([math.cos(2), math.sin(2)])


def test_turned_vectors_know_their_distance_alone() -> None:
    query, key = torch.randn(2, 1, 1, 1, 8, dtype=torch.double)

    def score(at: int, other: int) -> float:
        one, two = apply_rotary(query, torch.tensor([at])), apply_rotary(key, torch.tensor([other]))
        return float((one * two).sum())

    assert score(5, 2) == pytest.approx(score(105, 102), abs=1e-12)
    assert score(5, 2) != pytest.approx(score(5, 3), abs=1e-6)
