"""Every score by hand, from its formula."""

import math

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from regard.config.model import SHIPPED_SCORES, AttentionConfig
from regard.nn.scores import (
    BUILDERS,
    CosineScore,
    DotScore,
    GeneralScore,
    LocationScore,
    ScaledDotScore,
    Score,
    build_score,
)

QUERY = torch.tensor([[[3.0, 4.0]]])
KEYS = torch.tensor([[[1.0, 0.0], [0.0, 2.0], [-3.0, -4.0]]])


def scores(score: Score, query: Tensor = QUERY, keys: Tensor = KEYS) -> Tensor:
    return score(query, score.prepare(keys))


def test_every_name_has_a_builder() -> None:
    assert set(BUILDERS) >= set(SHIPPED_SCORES)


def test_dot() -> None:
    assert_close(scores(DotScore()), torch.tensor([[[3.0, 8.0, -25.0]]]))


def test_scaled_dot() -> None:
    root = math.sqrt(2)
    assert_close(scores(ScaledDotScore()), torch.tensor([[[3 / root, 8 / root, -25 / root]]]))


def test_general() -> None:
    """s · W h with W = [[0, 1], [2, 0]]: W h = (0, 2), (2, 0), (-4, -6)."""
    score = GeneralScore(query_size=2, key_size=2)
    score.key.weight.data = torch.tensor([[0.0, 1.0], [2.0, 0.0]])
    assert_close(scores(score), torch.tensor([[[8.0, 6.0, -36.0]]]))


def test_general_compares_vectors_of_different_width() -> None:
    score = build_score(AttentionConfig(score="general"), query_size=3, key_size=5)
    assert scores(score, torch.randn(2, 4, 3), torch.randn(2, 6, 5)).shape == (2, 4, 6)


def test_location_reads_the_position_alone() -> None:
    """(W s)_j; what stands at j does not count, and positions beyond the rows of W share the last one."""
    score = LocationScore(query_size=2, positions=2)
    score.rows.weight.data = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    assert_close(scores(score), torch.tensor([[[3.0, 4.0, 4.0]]]))
    assert torch.equal(scores(score, keys=torch.randn(1, 3, 2)), scores(score))


def test_location_on_sources_of_twice_the_length() -> None:
    """Trained on up to 8 words, asked about 16: finite, and the words beyond are alike."""
    score = LocationScore(query_size=2, positions=8)
    longer = scores(score, keys=torch.randn(1, 16, 2))
    assert longer.isfinite().all()
    assert (longer[..., 7:] == longer[..., 7:8]).all()
    assert torch.equal(longer[..., :8], scores(score, keys=torch.randn(1, 8, 2)))


def test_bare_cosine() -> None:
    """(3, 4) has length 5: cos = 3/5, 4/5, -1."""
    score = CosineScore(query_size=2, sharpness=False)
    assert_close(scores(score), torch.tensor([[[0.6, 0.8, -1.0]]]))
    assert not list(score.parameters())


def test_cosine_with_a_learned_sharpness() -> None:
    """β = softplus(w · s + b), a factor of each query's own."""
    score = CosineScore(query_size=2, sharpness=True)
    assert score.sharpness is not None
    score.sharpness.weight.data = torch.tensor([[1.0, 0.0]])
    score.sharpness.bias.data = torch.tensor([-1.0])
    beta = math.log1p(math.exp(3 - 1))
    assert_close(scores(score), beta * torch.tensor([[[0.6, 0.8, -1.0]]]))


def test_cosine_of_a_vector_of_zeros_is_finite() -> None:
    score = CosineScore(query_size=2, sharpness=True)
    assert scores(score, torch.zeros(1, 1, 2), torch.zeros(1, 3, 2)).isfinite().all()


@pytest.mark.parametrize("name", SHIPPED_SCORES)
def test_a_score_is_the_sum_of_its_summands(name: str) -> None:
    torch.manual_seed(0)
    score = build_score(AttentionConfig(score=name, hidden_size=3, positions=2), query_size=4, key_size=4)
    query, keys = torch.randn(1, 1, 4), torch.randn(1, 5, 4)
    told = score.explain(query[0, 0], score.prepare(keys)[0])
    assert_close(told.summands.sum(-1), scores(score, query, keys)[0, 0])
    assert told.formula.startswith("e_j = ")
