"""Where Luong's local attentions look, by hand."""

import math

import pytest
import torch
from torch.testing import assert_close

from regard.config.model import AttentionConfig
from regard.nn.attention import Attention, LocalM, LocalP, build_window
from regard.nn.scores import DotScore


def test_local_m_follows_the_position_that_is_written() -> None:
    inside, factor = LocalM(1)(torch.zeros(1, 3, 4), torch.tensor([5]), 5, 1)
    assert factor is None
    assert inside.int().tolist() == [[[1, 1, 1, 0, 0], [0, 1, 1, 1, 0], [0, 0, 1, 1, 1]]]


def test_local_m_stays_at_the_end_of_each_sentence() -> None:
    """A target longer than the source: the window stays around the last real word, whatever the padding."""
    inside, _ = LocalM(1)(torch.zeros(2, 1, 4), torch.tensor([2, 5]), 5, 9)
    assert inside.int().tolist() == [[[1, 1, 1, 0, 0]], [[0, 0, 0, 1, 1]]]


def centred(reach: int) -> LocalP:
    """v = 0: σ(0) = ½, so the centre is half the length."""
    window = LocalP(query_size=4, reach=reach)
    torch.nn.init.zeros_(window.centre.weight)
    return window


def test_local_p_has_a_gaussian_around_its_centre() -> None:
    """p = 6 · ½ = 3, D = 2: exp(-(j - 3)² / (2 · 1²))."""
    inside, factor = centred(2)(torch.zeros(1, 1, 4), torch.tensor([6]), 6, 0)
    assert inside.int().tolist() == [[[0, 1, 1, 1, 1, 1]]]
    expected = [math.exp(-((j - 3) ** 2) / 2) for j in range(6)]
    assert_close(factor, torch.tensor([[expected]]))


def test_local_p_uses_the_real_length_of_each_sentence() -> None:
    _, factor = centred(2)(torch.zeros(2, 1, 4), torch.tensor([2, 6]), 6, 0)
    assert factor.argmax(-1).tolist() == [[1], [3]]


def test_a_monotone_centre_begins_at_the_position_that_is_written() -> None:
    """v = 0: p = S · (t + ½) / S = t + ½, and at most S - ½."""
    window = LocalP(query_size=4, reach=2, monotone=True)
    torch.nn.init.zeros_(window.centre.weight)
    _, factor = window(torch.zeros(2, 3, 4), torch.tensor([2, 6]), 6, 1)
    for row, centres in enumerate([[1.5, 1.5, 1.5], [1.5, 2.5, 3.5]]):
        expected = [[math.exp(-((j - p) ** 2) / 2) for j in range(6)] for p in centres]
        assert_close(factor[row], torch.tensor(expected))


def test_a_monotone_centre_moves_with_the_prediction() -> None:
    """Of a prediction of 1 at t = 1 of 4 words: 4 σ(1 + ln(0.375 / 0.625)), a little behind the middle."""
    window = LocalP(query_size=1, reach=2, monotone=True)
    torch.nn.init.constant_(window.query.weight, 100.0)
    torch.nn.init.ones_(window.centre.weight)
    _, factor = window(torch.ones(1, 1, 1), torch.tensor([4]), 4, 1)
    centre = 4 / (1 + math.exp(-1) * 0.625 / 0.375)
    expected = [math.exp(-((j - centre) ** 2) / 2) for j in range(4)]
    assert_close(factor[0, 0], torch.tensor(expected))


def test_the_mass_that_a_window_takes_is_missing_from_the_row() -> None:
    """Equal scores over the window 1 … 5: each has 1/5, times its Gaussian. Nothing is renormalised."""
    attention = Attention(DotScore(), centred(2))
    memory = attention.remember(torch.zeros(1, 6, 4), torch.tensor([6]))
    _, weights = attention(torch.zeros(1, 1, 4), memory)
    expected = [0.0, *(math.exp(-((j - 3) ** 2) / 2) / 5 for j in range(1, 6))]
    assert_close(weights[0, 0], torch.tensor(expected))
    assert weights.sum() < 1


def test_renormalised_the_row_sums_to_one_again() -> None:
    """The same row, divided by its sum; a window beyond every word has nothing to divide."""
    attention = Attention(DotScore(), centred(2), renormalise=True)
    memory = attention.remember(torch.zeros(1, 6, 4), torch.tensor([6]))
    _, weights = attention(torch.zeros(1, 1, 4), memory)
    gaussian = [0.0, *(math.exp(-((j - 3) ** 2) / 2) for j in range(1, 6))]
    assert_close(weights[0, 0], torch.tensor(gaussian) / sum(gaussian))
    nothing = attention.remember(torch.zeros(1, 6, 4), torch.tensor([0]))
    _, weights = attention(torch.zeros(1, 1, 4), nothing)
    assert weights.sum() == 0


def test_the_centre_is_learned() -> None:
    window = LocalP(query_size=4, reach=2)
    _, factor = window(torch.randn(1, 1, 4), torch.tensor([6]), 6, 0)
    factor[0, 0, 0].backward()
    for parameter in window.parameters():
        assert parameter.grad is not None
        assert parameter.grad.abs().sum() > 0


@pytest.mark.parametrize(("name", "kind"), [("global", type(None)), ("local_m", LocalM), ("local_p", LocalP)])
def test_windows_by_name(name: str, kind: type) -> None:
    config = AttentionConfig.model_validate({"window": name})
    assert isinstance(build_window(config, query_size=3), kind)


def test_only_a_gaussian_is_renormalised() -> None:
    with pytest.raises(ValueError, match="renormalise is for the window local_p, and this one is local_m"):
        AttentionConfig.model_validate({"window": "local_m", "renormalise": True})


def test_only_a_predicted_centre_can_be_monotone() -> None:
    with pytest.raises(ValueError, match="centre is for the window local_p, and this one is local_m"):
        AttentionConfig.model_validate({"window": "local_m", "centre": "monotone"})
