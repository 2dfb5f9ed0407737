import torch
from torch import nn

from regard.nn.dropout import Dropout, DropoutRng


def parts() -> nn.ModuleDict:
    return nn.ModuleDict({"a": Dropout(0.25), "b": Dropout(0.25)})


def draw(model: nn.ModuleDict, name: str, rng: DropoutRng | None) -> torch.Tensor:
    dropped: torch.Tensor = model[name](torch.ones(64, 64), rng)
    return dropped


def test_the_mask_is_a_function_of_seed_step_and_place() -> None:
    model = parts()
    first = draw(model, "a", DropoutRng(model, seed=1, step=5))
    torch.manual_seed(99)
    assert torch.equal(first, draw(model, "a", DropoutRng(model, seed=1, step=5)))
    for other in (
        draw(model, "a", DropoutRng(model, seed=2, step=5)),
        draw(model, "a", DropoutRng(model, seed=1, step=6)),
        draw(model, "b", DropoutRng(model, seed=1, step=5)),
    ):
        assert not torch.equal(first, other)


def test_two_draws_at_one_place_differ() -> None:
    model = parts()
    rng = DropoutRng(model, seed=1, step=1)
    assert not torch.equal(draw(model, "a", rng), draw(model, "a", rng))


def test_the_share_and_the_scale_are_right() -> None:
    """0.25 = 64/256: kept values are scaled by 4/3, and a quarter is dropped (within 5 sigma)."""
    model = parts()
    mask = DropoutRng(model, seed=3, step=1).keep_mask(model["a"], torch.ones(1000, 1000), 0.25)
    assert set(mask.flatten().tolist()) == {0.0, torch.tensor(4 / 3).item()}
    assert abs((mask == 0).double().mean().item() - 0.25) < 5 * (0.25 * 0.75 / 1e6) ** 0.5
    for byte in range(8):  # every byte of a draw is used, and none of them is skewed
        share = (mask.view(-1)[byte::8] == 0).double().mean().item()
        assert abs(share - 0.25) < 5 * (0.25 * 0.75 / 125_000) ** 0.5


def test_the_gradient_passes_where_the_value_passed() -> None:
    model = parts()
    values = torch.ones(8, 8, requires_grad=True)
    dropped = model["a"](values, DropoutRng(model, seed=1, step=1))
    (gradient,) = torch.autograd.grad(dropped.sum(), values)
    assert torch.equal(gradient, dropped.detach())


def test_no_noise_is_no_dropout_and_no_global_state_is_touched() -> None:
    model = parts()
    values = torch.ones(4, 4)
    assert model["a"](values, None) is values
    state = torch.get_rng_state()
    draw(model, "a", DropoutRng(model, seed=1, step=1))
    assert torch.equal(state, torch.get_rng_state())
