import pytest
import torch
from torch.nn import functional as F
from torch.testing import assert_close

from regard.nn import loss as loss_module
from regard.nn.loss import smoothed_cross_entropy


def test_by_hand() -> None:
    """Two words, logits (ln 3, 0): the first has probability 3/4."""
    features, weight, bias = torch.ones(1, 1), torch.tensor([[3.0], [1.0]]).log(), torch.zeros(2)
    loss, likelihood = smoothed_cross_entropy(features, weight, bias, torch.tensor([0]))
    assert_close(loss, -torch.tensor(0.75).log())
    assert_close(likelihood, torch.tensor(0.75).log())
    smoothed, _ = smoothed_cross_entropy(features, weight, bias, torch.tensor([0]), smoothing=0.2)
    assert_close(smoothed, -(0.9 * torch.tensor(0.75).log() + 0.1 * torch.tensor(0.25).log()))


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("block", [4, 100])
def test_it_equals_torchs_loss_and_gradients(
    smoothing: float, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loss_module, "BLOCK", block)  # 11 positions: several blocks, the last not full
    torch.manual_seed(0)
    features, weight, bias = (
        torch.randn(*shape, dtype=torch.float64, requires_grad=True) for shape in ((11, 5), (7, 5), (7,))
    )
    targets = torch.randint(0, 7, (11,))
    ours, likelihood = smoothed_cross_entropy(features, weight, bias, targets, smoothing=smoothing)
    logits = features @ weight.T + bias
    theirs = F.cross_entropy(logits, targets, label_smoothing=smoothing, reduction="sum")
    assert_close(ours, theirs)
    assert_close(likelihood, -F.cross_entropy(logits, targets, reduction="sum"))
    own = torch.autograd.grad(ours / 3, (features, weight, bias))
    expected = torch.autograd.grad(theirs / 3, (features, weight, bias))
    for ours_gradient, theirs_gradient in zip(own, expected, strict=True):
        assert_close(ours_gradient, theirs_gradient)


def test_no_gradient_is_made_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("the product that only a gradient needs")

    monkeypatch.setattr(torch, "mm", never)
    features, weight = torch.ones(3, 2, requires_grad=True), torch.ones(4, 2, requires_grad=True)
    with torch.inference_mode():
        loss, _ = smoothed_cross_entropy(features, weight, torch.zeros(4), torch.tensor([0, 1, 2]))
    assert loss.grad_fn is None
    assert_close(loss, 3 * torch.tensor(4.0).log())


def test_large_logits_stay_finite() -> None:
    features, weight = torch.tensor([[1.0]]), torch.tensor([[1e4], [-1e4]])
    loss, _ = smoothed_cross_entropy(features, weight, torch.zeros(2), torch.tensor([1]))
    assert_close(loss, torch.tensor(2e4))


def test_in_bfloat16_only_the_products_lose_digits() -> None:
    torch.manual_seed(0)
    features, weight, bias = torch.randn(700, 16), torch.randn(30, 16), torch.randn(30)
    targets = torch.randint(30, (700,))

    def gradients() -> list[torch.Tensor]:
        first, second, third = given = [part.clone().requires_grad_() for part in (features, weight, bias)]
        loss, likelihood = smoothed_cross_entropy(first, second, third, targets, smoothing=0.1)
        assert loss.dtype == likelihood.dtype == torch.float32
        loss.backward()  # type: ignore[no-untyped-call]
        assert all(part.grad is not None and part.grad.dtype == torch.float32 for part in given)
        return [loss.detach(), *(part.grad for part in given if part.grad is not None)]

    whole = gradients()
    with torch.autocast("cpu", torch.bfloat16):
        rounded = gradients()
    for mine, exact in zip(rounded, whole, strict=True):
        assert 0 < (mine - exact).norm() < 0.02 * exact.norm()  # a bfloat16 has 8 bits
