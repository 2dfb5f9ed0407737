import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from regard.errors import ShapeError
from regard.nn.attention import Attention, masked_softmax
from regard.nn.scores import AdditiveScore
from regard.nn.trace import Trace


def test_additive_score_by_hand() -> None:
    score = AdditiveScore(query_size=1, key_size=1, hidden_size=1)
    for weight, value in zip(score.parameters(), (1.0, 2.0, 3.0), strict=True):  # W, U, v
        torch.nn.init.constant_(weight, value)
    query, keys = torch.tensor([[[0.5]]]), torch.tensor([[[0.0], [1.0]]])
    expected = 3 * torch.tensor([[[0.5, 2.5]]]).tanh()  # v · tanh(0.5 + 2k)
    assert_close(score(query, score.prepare(keys)), expected)


def test_additive_score_is_the_concat_form() -> None:
    """v · tanh(W_a [s; h]) with W_a = [W U], written out for every pair of query and key."""
    score = AdditiveScore(query_size=3, key_size=5, hidden_size=4)
    query, keys = torch.randn(2, 6, 3), torch.randn(2, 7, 5)
    joined = torch.cat([query[:, :, None].expand(2, 6, 7, 3), keys[:, None].expand(2, 6, 7, 5)], dim=-1)
    both = torch.cat([score.query.weight, score.key.weight], dim=1)
    expected = (joined @ both.T).tanh() @ score.energy.weight[0]
    assert_close(score(query, score.prepare(keys)), expected)


def test_an_additive_score_explains_itself() -> None:
    score = AdditiveScore(query_size=3, key_size=5, hidden_size=4)
    query, prepared = torch.randn(3), score.prepare(torch.randn(7, 5))
    told = score.explain(query, prepared)
    assert told.summands.shape == (7, 4)
    assert_close(told.summands.sum(-1), score(query[None, None], prepared[None])[0, 0])
    assert_close(told.terms["W s"], score.query.weight @ query)


@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 2**16))
def test_weights_are_a_distribution_over_allowed_keys(q: int, k: int, seed: int) -> None:
    rng = torch.Generator().manual_seed(seed)
    mask = torch.rand(1, q, k, generator=rng) < 0.5
    weights = masked_softmax(torch.randn(1, q, k, generator=rng), mask)
    assert (weights[~mask] == 0).all()
    assert_close(weights.sum(-1), mask.any(-1).float())  # 1, or 0 for a row with no key


def test_without_a_mask_it_is_torchs_softmax() -> None:
    scores = torch.randn(2, 3, 5)
    assert torch.equal(masked_softmax(scores, None), scores.softmax(-1))


def test_a_mask_must_be_bool() -> None:
    with pytest.raises(
        ShapeError, match=r"mask must be bool \(True = may be attended to\), got torch.float32"
    ):
        masked_softmax(torch.zeros(1, 2), torch.ones(1, 2))


def test_context_by_hand() -> None:
    """Equal scores over two of three keys: the context is the mean of their values."""
    score = AdditiveScore(query_size=1, key_size=2, hidden_size=1)
    torch.nn.init.zeros_(score.energy.weight)
    attention = Attention(score)
    values = torch.tensor([[[1.0, 2.0], [3.0, 6.0], [100.0, 100.0]]])
    memory = attention.remember(values, torch.tensor([2]))
    trace = Trace(attention)
    context, weights = attention(torch.zeros(1, 1, 1), memory, trace=trace)
    assert_close(context, torch.tensor([[[2.0, 4.0]]]))
    assert_close(weights, torch.tensor([[[0.5, 0.5, 0.0]]]))
    assert torch.equal(trace.kept[""][0].weights, weights)
