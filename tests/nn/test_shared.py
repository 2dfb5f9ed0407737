"""Gradients that are made once, after the last step of a loop, are those that autograd adds up."""

from typing import Any

import torch
from torch import Tensor
from torch.testing import assert_close

from regard.nn.shared import additive_energy, linear, shared, weighted_sum

STEPS, B, K, D = 3, 2, 5, 4


def inputs() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    torch.manual_seed(0)
    shapes = [(3, D), (B, K, D), (D,), (STEPS, B, 1, D)]
    weight, keys, v, queries = (torch.randn(s, dtype=torch.double, requires_grad=True) for s in shapes)
    return weight, keys, v, queries


def by_autograd(weight: Tensor, keys: Tensor, v: Tensor, queries: Tensor) -> Tensor:
    total = torch.zeros((), dtype=torch.double)
    for query in queries:
        energy = (query[:, :, None] + keys[:, None]).tanh() @ v
        total = total + ((energy.softmax(-1) @ keys).squeeze(1) @ weight.t()).square().sum()
    return total


def collected(weight: Tensor, keys: Tensor, v: Tensor, queries: Tensor) -> Tensor:
    weight, keys = shared(weight), shared(keys)
    total = torch.zeros((), dtype=torch.double)
    for query in queries:
        weights = additive_energy(query, keys, v).softmax(-1)
        total = total + linear(weighted_sum(weights, keys).squeeze(1), weight).square().sum()
    return total


def test_what_is_collected_is_the_sum() -> None:
    """Keys that are compared and weighted: two readers of one tensor, in three steps."""
    given = inputs()
    assert_close(collected(*given), by_autograd(*given), rtol=1e-12, atol=1e-12)
    for ours, theirs in zip(
        torch.autograd.grad(collected(*given), given),
        torch.autograd.grad(by_autograd(*given), given),
        strict=True,
    ):
        assert_close(ours, theirs, rtol=1e-12, atol=1e-12)


def test_a_reader_that_does_not_know_of_it_counts_too() -> None:
    """A score of a user's own reads a shared tensor in plain torch."""
    weight = torch.tensor([[2.0]], requires_grad=True)
    x = torch.tensor([[3.0]])
    marked = shared(weight)
    (linear(x, marked) + 10 * marked).sum().backward()  # type: ignore[no-untyped-call]
    assert weight.grad is not None
    assert weight.grad.item() == 13.0


def test_without_a_gradient_it_is_the_tensor_itself() -> None:
    weight = torch.ones(1, 1, requires_grad=True)
    with torch.no_grad():
        assert shared(weight) is weight
    fixed = torch.ones(1, 1)
    assert shared(fixed) is fixed


def test_many_queries_at_once() -> None:
    """Without input feeding all target positions ask together."""
    _, keys, v, queries = inputs()
    together = queries.squeeze(2).transpose(0, 1)  # (b, t, d)
    ours = additive_energy(together, keys, v)
    theirs = (together[:, :, None] + keys[:, None]).tanh() @ v
    assert_close(ours, theirs)
    pull = torch.randn_like(ours)
    for one, other in zip(
        torch.autograd.grad(ours, (keys, v, queries), pull),
        torch.autograd.grad(theirs, (keys, v, queries), pull),
        strict=True,
    ):
        assert_close(one, other, rtol=1e-12, atol=1e-12)


def test_a_second_pass_counts_anew() -> None:
    """Backward twice through one graph: each time the whole gradient, and nothing of the time before."""
    given = inputs()
    total = collected(*given)
    first, second = (torch.autograd.grad(total, given, retain_graph=True) for _ in range(2))
    assert all(torch.equal(one, other) for one, other in zip(first, second, strict=True))


def test_a_pass_that_asked_for_something_else_leaves_nothing() -> None:
    """The gradient of the queries alone, then that of the weights."""
    given = inputs()
    total = collected(*given)
    torch.autograd.grad(total, given[3], retain_graph=True)
    after = torch.autograd.grad(total, given)
    for ours, theirs in zip(after, torch.autograd.grad(by_autograd(*given), given), strict=True):
        assert_close(ours, theirs, rtol=1e-12, atol=1e-12)


def test_readers_that_no_gradient_comes_through() -> None:
    weight = torch.ones(1, 1, requires_grad=True)
    marked = shared(weight)
    with torch.no_grad():
        linear(torch.ones(1, 1), marked)
    linear(torch.ones(1, 1), marked)  # its result is not used
    (3 * marked).sum().backward()  # type: ignore[no-untyped-call]
    assert weight.grad is not None
    assert weight.grad.item() == 3.0


def test_two_scores_that_read_the_same_keys() -> None:
    _, keys, v, queries = inputs()
    other = torch.randn_like(v).requires_grad_()

    def energies(given: Tensor, score: Any) -> Tensor:
        return sum((score(q, given, v) * 2 + score(q, given, other) for q in queries), torch.zeros(()))

    ours = energies(shared(keys), additive_energy)
    theirs = energies(keys, lambda q, k, w: (q[:, :, None] + k[:, None]).tanh() @ w)
    for one, two in zip(
        torch.autograd.grad(ours.square().sum(), (keys, v, other)),
        torch.autograd.grad(theirs.square().sum(), (keys, v, other)),
        strict=True,
    ):
        assert_close(one, two, rtol=1e-12, atol=1e-12)
