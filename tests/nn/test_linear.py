"""Weights that are laid out for the CPU give what weights give."""

import gc
import io
from copy import deepcopy

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from regard.nn import linear as module
from regard.nn.linear import Linear, linear, pays

pytestmark = pytest.mark.skipif(
    not torch.backends.mkldnn.is_available(),  # type: ignore[no-untyped-call]
    reason="weights are laid out by oneDNN",
)


@pytest.fixture
def layer(monkeypatch: pytest.MonkeyPatch) -> Linear:
    """One whose weights are laid out for any number of rows, as they are with AVX-512."""
    monkeypatch.setattr(module, "has_avx512", lambda: True)
    torch.manual_seed(3)
    return Linear(24, 40)


def laid_out(weight: Tensor) -> bool:
    return module._layouts.get(weight) is not None


@pytest.mark.parametrize("shape", [(1, 24), (5, 24), (2, 7, 24), (0, 24), (24,)])
def test_the_same_as_torchs(layer: Linear, shape: tuple[int, ...]) -> None:
    x = torch.randn(shape)
    wanted = functional.linear(x, layer.weight, layer.bias)
    with torch.no_grad():
        torch.testing.assert_close(layer(x), wanted, atol=1e-6, rtol=1e-6)
        torch.testing.assert_close(
            linear(x, layer.weight), functional.linear(x, layer.weight), atol=1e-6, rtol=1e-6
        )
    assert laid_out(layer.weight) == (len(shape) > 1)


@pytest.mark.parametrize("rows", [0, 1, 5, 100])
@pytest.mark.parametrize("avx512", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_product_that_is_added_to_something(
    rows: int, avx512: bool, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    """words + W x + b; and what it is added to stays as it was."""
    monkeypatch.setattr(module, "has_avx512", lambda: avx512)
    layer = Linear(3, 2).to(dtype)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[1.0, 2.0, 0.0], [0.0, -1.0, 3.0]]))
        layer.bias.copy_(torch.tensor([10.0, 20.0]))
    words = torch.tensor([100.0, 200.0], dtype=dtype).repeat(rows, 1)
    x = torch.tensor([1.0, 2.0, 3.0], dtype=dtype).repeat(rows, 1)
    wanted = torch.tensor([115.0, 227.0], dtype=dtype).repeat(rows, 1)  # 100 + 1 + 4 + 10, 200 - 2 + 9 + 20
    for gradients in (True, False):
        with torch.set_grad_enabled(gradients):
            torch.testing.assert_close(layer(x, words), wanted)
            torch.testing.assert_close(layer(x[None], words[None]), wanted[None])
    assert words.eq(torch.tensor([100.0, 200.0], dtype=dtype)).all()


def test_a_strided_input(layer: Linear) -> None:
    x = torch.randn(24, 9, 2).permute(2, 1, 0)[:, ::2]
    with torch.no_grad():
        torch.testing.assert_close(layer(x), functional.linear(x, layer.weight, layer.bias))


def test_rows_do_not_know_how_many_they_are(layer: Linear) -> None:
    x = torch.randn(300, 24)
    with torch.inference_mode():
        together = layer(x)
        for count in (1, 2, 3, 5, 16, 64, 299):
            assert torch.equal(layer(x[:count]), together[:count])


@pytest.mark.parametrize(
    ("rows", "outputs", "avx512", "expected"),
    [
        (1, 2048, False, False),
        (5, 2048, False, True),
        (5, 1024, False, False),
        (15, 2048, False, True),
        (16, 2048, False, False),
        (300, 4096, False, True),
        (1, 4096, False, False),
        (1, 40, True, True),
        (300, 40, True, True),
    ],
)
def test_where_it_pays(
    monkeypatch: pytest.MonkeyPatch, rows: int, outputs: int, avx512: bool, expected: bool
) -> None:
    """Many rows are left to torch where kernels for laid out weights are slow."""
    monkeypatch.setattr(module, "has_avx512", lambda: avx512)
    assert pays(rows, outputs, 128) == expected
    layer = Linear(128, outputs)
    with torch.no_grad():
        layer(torch.ones(rows, 1, 128))
    assert laid_out(layer.weight) == expected


def test_with_gradients_it_is_torchs(layer: Linear) -> None:
    x = torch.randn(4, 24, requires_grad=True)
    layer(x).square().sum().backward()
    assert not laid_out(layer.weight)
    assert x.grad is not None
    assert layer.weight.grad is not None


@pytest.mark.parametrize("inference", [False, True])
def test_weights_that_change_are_laid_out_again(layer: Linear, *, inference: bool) -> None:
    """By a step of an optimizer, by a load, and by other memory."""
    x = torch.randn(4, 24)

    def check() -> None:
        wanted = functional.linear(x, layer.weight, layer.bias).detach()
        with torch.inference_mode(mode=inference), torch.no_grad():
            torch.testing.assert_close(layer(x), wanted, atol=1e-6, rtol=1e-6)

    check()
    layer(x).sum().backward()
    for optimizer in (
        torch.optim.SGD(layer.parameters(), lr=1.0),
        torch.optim.Adam(layer.parameters(), fused=True),
    ):
        optimizer.step()
        check()
    layer.load_state_dict(Linear(24, 40).state_dict())
    check()
    layer.weight.data = torch.randn(40, 24)
    check()
    for _ in range(30):  # the second often comes to be where what was laid out had been
        layer.weight.data = layer.weight.data * 2
        layer.weight.data = layer.weight.data / 3
        check()
    layer.weight = nn.Parameter(torch.randn(40, 24))
    check()


def test_tied_weights_are_laid_out_once(layer: Linear) -> None:
    other = Linear(24, 40)
    other.weight = layer.weight
    with torch.no_grad():
        layer(torch.randn(2, 24))
        kept = module._layouts.get(layer.weight)
        other(torch.randn(3, 24))
    assert kept is not None
    assert module._layouts.get(other.weight) is kept


def test_other_numbers_and_views_are_left_to_torch(layer: Linear) -> None:
    with torch.no_grad():
        wide = Linear(24, 40).double()
        torch.testing.assert_close(
            wide(torch.ones(2, 24).double()), wide.weight.sum(1).expand(2, -1) + wide.bias
        )
        view = layer.weight[:10]
        torch.testing.assert_close(linear(torch.ones(2, 24), view), view.sum(1).expand(2, -1))
        with torch.autocast("cpu", torch.bfloat16):
            assert layer(torch.ones(2, 24)).dtype == torch.bfloat16
    assert not any(map(laid_out, (wide.weight, view, layer.weight)))


def test_weights_that_do_not_tell_when_they_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "has_avx512", lambda: True)
    with torch.inference_mode():
        layer, made = Linear(3, 2), torch.ones(2, 3)
        for weight in (layer.weight, made):
            assert torch.equal(linear(torch.ones(2, 3), weight), functional.linear(torch.ones(2, 3), weight))
            assert not laid_out(weight)


def test_nothing_of_it_is_stored_or_copied(layer: Linear) -> None:
    with torch.no_grad():
        layer(torch.randn(2, 24))
    assert set(layer.state_dict()) == {"weight", "bias"}
    assert not laid_out(deepcopy(layer).weight)
    stored = io.BytesIO()
    torch.save(layer, stored)  # as those do who start processes
    assert stored.tell() > 0


def test_what_was_laid_out_goes_with_its_weights(layer: Linear) -> None:
    with torch.no_grad():
        layer(torch.randn(2, 24))
    number = id(layer.weight)
    assert number in module._layouts._kept
    layer.weight = nn.Parameter(torch.ones(40, 24))
    gc.collect()
    assert number not in module._layouts._kept
