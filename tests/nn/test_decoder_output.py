"""The mixture of a pointer-generator, by hand."""

import math

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard.nn.decoder import CopyMechanism, DecoderOutput
from regard.nn.loss import loss_of, smoothed_cross_entropy

TOKENS = torch.tensor([[2, 0, 2]])
WEIGHTS = torch.tensor([[0.5, 0.2, 0.3]])


def copies(gate: float) -> CopyMechanism:
    return CopyMechanism(torch.tensor([gate]), WEIGHTS, TOKENS)


def test_the_mixture_by_hand() -> None:
    """σ(0) = ½ of a uniform vocabulary of four, and ½ of what is copied: 0.2 of token 0, 0.8 of token 2."""
    mixed = copies(0.0).mixed(torch.zeros(1, 4)).exp()
    assert_close(mixed, torch.tensor([[0.125 + 0.1, 0.125, 0.125 + 0.4, 0.125]]))


def test_a_mixture_is_a_distribution_that_can_be_asked_twice() -> None:
    mixed = copies(-1.3).mixed(torch.randn(1, 4))
    assert_close(mixed.exp().sum(-1), torch.ones(1))
    assert_close(mixed.log_softmax(-1), mixed, atol=1e-6, rtol=0)


def test_how_much_attention_is_on_a_token() -> None:
    assert_close(copies(0.0).of(torch.tensor([2])), torch.tensor([0.8]))
    assert_close(copies(0.0).of(torch.tensor([1])), torch.tensor([0.0]))


def random_positions(count: int) -> tuple[DecoderOutput, torch.Tensor]:
    torch.manual_seed(1)
    output = nn.Linear(3, 7).double()
    features = torch.randn(count, 3, dtype=torch.double, requires_grad=True)
    gate = torch.randn(count, dtype=torch.double, requires_grad=True)
    scores = torch.randn(count, 4, dtype=torch.double, requires_grad=True)
    weights = scores.softmax(-1)
    weights.retain_grad()
    tokens = torch.randint(0, 7, (count, 4))
    return DecoderOutput(features, output, CopyMechanism(gate, weights, tokens)), torch.randint(
        0, 7, (count,)
    )


def test_the_blocked_loss_of_a_mixture_has_autograds_gradient() -> None:
    written, targets = random_positions(600)  # more than one block
    assert written.copies is not None
    wanted = (
        written.features,
        written.output.weight,
        written.output.bias,
        written.copies.gate,
        written.copies.weights,
    )
    for smoothing in (0.0, 0.1):
        loss, likelihood = loss_of(written, targets, smoothing=smoothing)
        right = written.logits().gather(1, targets[:, None]).sum()
        vocabulary = written.output(written.features).log_softmax(-1).mean(-1).sum()
        expected = -(1 - smoothing) * right - smoothing * vocabulary
        assert_close(loss, expected)
        assert_close(likelihood, right)
        ours = torch.autograd.grad(loss, wanted, retain_graph=True)
        theirs = torch.autograd.grad(expected, wanted, retain_graph=True)
        for one, other in zip(ours, theirs, strict=True):
            assert_close(one, other, rtol=1e-9, atol=1e-12)


def test_a_token_that_is_not_in_the_source_is_not_copied() -> None:
    """Its probability is that of the vocabulary alone, and every gradient is finite."""
    features = torch.zeros(1, 3, requires_grad=True)
    gate, copied = torch.zeros(1, requires_grad=True), torch.zeros(1, requires_grad=True)
    weight, bias = torch.zeros(4, 3), torch.zeros(4)
    loss, likelihood = smoothed_cross_entropy(
        features, weight, bias, torch.tensor([1]), copies=(gate, copied)
    )
    assert likelihood.item() == pytest.approx(math.log(0.5 * 0.25))
    for gradient in torch.autograd.grad(loss, (features, gate, copied)):
        assert gradient.isfinite().all()


def test_a_token_far_from_probable_has_a_finite_gradient() -> None:
    """Not in the source, and e^-100 in the vocabulary: nothing overflows on the way to the attention."""
    gate = torch.zeros(1, requires_grad=True)
    weights = torch.tensor([[0.5, 0.5]], requires_grad=True)
    output = nn.Linear(1, 2)
    with torch.no_grad():
        output.weight.zero_()
        output.bias.copy_(torch.tensor([100.0, 0.0]))
    written = DecoderOutput(torch.zeros(1, 1), output, CopyMechanism(gate, weights, torch.tensor([[0, 0]])))
    loss, _ = loss_of(written, torch.tensor([1]))
    for gradient in torch.autograd.grad(loss, (gate, weights)):
        assert gradient.isfinite().all()


def test_what_attention_lacks_goes_to_the_vocabulary() -> None:
    """Half of the weight is gone: σ(0) = ½, so ½ · ½ more is written: ¾ uniform over four, ¼ copied."""
    cut = CopyMechanism(torch.zeros(1), WEIGHTS / 2, TOKENS).whole()
    assert_close(cut.mixed(torch.zeros(1, 4)).exp(), torch.tensor([[0.2375, 0.1875, 0.3875, 0.1875]]))
    assert_close(cut.of(torch.tensor([2])), torch.tensor([0.8]))


def test_nothing_to_copy_from() -> None:
    nothing = CopyMechanism(torch.zeros(1), torch.zeros(1, 3), TOKENS).whole()
    assert_close(nothing.mixed(torch.zeros(1, 4)).exp(), torch.full((1, 4), 0.25))


def test_attention_that_is_whole_stays_as_it_is() -> None:
    for gate in (-30.0, -2.0, 0.0, 3.0):
        assert_close(copies(gate).whole().gate, torch.tensor([gate]), atol=1e-5, rtol=1e-5)
    assert_close(copies(0.0).whole().weights, WEIGHTS)


def test_what_a_model_adds_to_the_loss() -> None:
    output = nn.Linear(3, 4)
    written = DecoderOutput(torch.randn(2, 3), output, penalty=torch.tensor([0.5, 0.25]))
    targets = torch.tensor([1, 2])
    plain, _ = loss_of(DecoderOutput(written.features, output), targets)
    assert_close(loss_of(written, targets)[0] - plain, torch.tensor(0.75))
