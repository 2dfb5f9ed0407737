"""Two directions at the same time have the values and gradients of one after the other."""

from collections.abc import Iterator, Sequence

import pytest
import torch
from torch import Tensor, nn

from regard.nn.directions import read_both

B, S, X, H = 5, 7, 6, 4


@pytest.fixture
def two_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def layers() -> tuple[nn.LSTM, nn.LSTM]:
    torch.manual_seed(1)
    return nn.LSTM(X, H, batch_first=True), nn.LSTM(X, H, batch_first=True)


def given(gradient: bool = True) -> tuple[Tensor, Tensor]:
    torch.manual_seed(2)
    ahead = torch.randn(B, S, X)
    return ahead.requires_grad_(gradient), ahead.detach().flip(1).requires_grad_(gradient)


def in_turn(layers: tuple[nn.LSTM, nn.LSTM], ahead: Tensor, back: Tensor) -> list[Tensor]:
    return [layers[0](ahead)[0], layers[1](back)[0]]


def gradients(states: list[Tensor], of: Sequence[Tensor], *, keep: bool = False) -> list[Tensor]:
    weights = torch.linspace(-1, 1, states[0].numel()).view_as(states[0])
    loss = (weights * states[0]).sum() + (weights.flip(0) * states[1]).square().sum()
    return list(torch.autograd.grad(loss, of, retain_graph=keep))


@pytest.mark.usefixtures("two_threads")
def test_the_same_as_one_after_the_other(layers: tuple[nn.LSTM, nn.LSTM]) -> None:
    inputs = given()
    ours, theirs = read_both(*layers, *inputs), in_turn(layers, *inputs)
    of = [*inputs, *layers[0].parameters(), *layers[1].parameters()]
    assert type(ours[0].grad_fn).__name__ == "_BothBackward", "nothing was read at the same time"
    for our, their in zip(ours + gradients(ours, of), theirs + gradients(theirs, of), strict=True):
        torch.testing.assert_close(our, their, atol=1e-6, rtol=1e-5)


@pytest.mark.usefixtures("two_threads")
def test_a_second_backward_pass_finds_the_same(layers: tuple[nn.LSTM, nn.LSTM]) -> None:
    inputs = given()
    states, of = read_both(*layers, *inputs), [*inputs, *layers[1].parameters()]
    first, second = gradients(states, of, keep=True), gradients(states, of)
    for one, other in zip(first, second, strict=True):
        assert torch.equal(one, other)


@pytest.mark.usefixtures("two_threads")
def test_what_needs_no_gradient_gets_none(layers: tuple[nn.LSTM, nn.LSTM]) -> None:
    for weight in layers[0].parameters():
        weight.requires_grad_(False)
    states = read_both(*layers, *given(gradient=False))
    of = list(layers[1].parameters())
    assert all(found.any() for found in gradients(states, of))
    for weight in of:
        weight.requires_grad_(False)
    assert not any(made.requires_grad for made in read_both(*layers, *given(gradient=False)))


@pytest.mark.usefixtures("two_threads")
@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_without_gradients(layers: tuple[nn.LSTM, nn.LSTM], mode: type[torch.no_grad]) -> None:
    inputs = given()
    with mode():
        ours = read_both(*layers, *inputs)
    assert not any(made.requires_grad for made in ours)
    for our, their in zip(ours, in_turn(layers, *inputs), strict=True):
        torch.testing.assert_close(our, their, atol=1e-6, rtol=1e-5)


@pytest.mark.usefixtures("two_threads")
def test_the_threads_of_the_caller_stay_as_they_were(layers: tuple[nn.LSTM, nn.LSTM]) -> None:
    read_both(*layers, *given())
    assert torch.get_num_threads() == 2


@pytest.mark.usefixtures("two_threads")
def test_a_mistake_reaches_the_caller(layers: tuple[nn.LSTM, nn.LSTM]) -> None:
    ahead, back = given()
    with pytest.raises(RuntimeError, match="Expected 6, got 5"):
        read_both(*layers, ahead, back[..., :5])


@pytest.mark.usefixtures("two_threads")
def test_other_kernels_and_numbers_are_read_in_turn(layers: tuple[nn.LSTM, nn.LSTM]) -> None:
    ahead, back = given()
    wide = read_both(layers[0].double(), layers[1].double(), ahead.double(), back.double())
    grus = read_both(nn.GRU(X, H, batch_first=True), nn.GRU(X, H, batch_first=True), ahead, back)
    assert not any("Both" in type(made.grad_fn).__name__ for made in [*wide, *grus])
