"""From words to sentences, by hand and against the formulas of Lin et al. 2017."""

import pytest
import torch
from torch.testing import assert_close

from regard.nn.pooling import (
    EncoderStates,
    LastPooling,
    MaxPooling,
    MeanPooling,
    StructuredSelfAttention,
    redundancy,
)


def two_sentences() -> EncoderStates:
    """(1, -1), (3, -5) and (-2, -7); the second sentence has one word, and padding that must not count."""
    words = torch.tensor([[[1.0, -1.0], [3.0, -5.0]], [[-2.0, -7.0], [99.0, 99.0]]])
    return EncoderStates(
        words, torch.tensor([[5.0, 6.0], [7.0, 8.0]]), torch.tensor([[True, True], [True, False]])
    )


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        (MaxPooling(), [[3.0, -1.0], [-2.0, -7.0]]),
        (MeanPooling(), [[2.0, -3.0], [-2.0, -7.0]]),
        (LastPooling(), [[5.0, 6.0], [7.0, 8.0]]),
    ],
)
def test_pooling_by_hand(
    pooling: MaxPooling | MeanPooling | LastPooling, expected: list[list[float]]
) -> None:
    assert_close(pooling(two_sentences()).vectors, torch.tensor(expected)[:, None])


def test_structured_self_attention_by_its_formula() -> None:
    """A = softmax(W₂ tanh(W₁ Hᵀ)), M = A H, written for one sentence without padding."""
    torch.manual_seed(0)
    pooling = StructuredSelfAttention(state_size=5, hidden_size=4, hops=3, penalty=0.5).double()
    h = torch.randn(6, 5, dtype=torch.float64)
    a = (pooling.second.weight @ (pooling.first.weight @ h.T).tanh()).softmax(dim=1)  # (r, n)
    pooled = pooling(EncoderStates(h[None], h[None, 0], torch.ones(1, 6, dtype=torch.bool)))
    assert_close(pooled.vectors[0], a @ h)
    expected = 0.5 * torch.linalg.matrix_norm(a @ a.T - torch.eye(3), ord="fro") ** 2
    assert pooled.penalty is not None
    assert_close(pooled.penalty[0], expected)


def test_the_penalty_by_hand() -> None:
    """None where each hop has a word of its own; hops that look at one word cost 1 for each other hop."""
    apart = torch.eye(2)[None]
    alike = torch.tensor([[[1.0, 0.0], [1.0, 0.0]]])
    even = torch.full((1, 2, 2), 0.5)  # A Aᵀ = ½ everywhere
    assert redundancy(torch.cat([apart, alike, even])).tolist() == [0.0, 2.0, 1.0]


def test_without_a_penalty_nothing_is_added() -> None:
    pooling = StructuredSelfAttention(state_size=2, hidden_size=3, hops=2)
    assert pooling(two_sentences()).penalty is None
