"""The words that a decoder is fed in training, some of them its own."""

from pathlib import Path

import pytest
import torch
from tests.contracts.models import MODELS
from tests.contracts.test_encoder_decoders import PAIRS, SYMBOLS, make
from tests.training.tiny import TINY, assert_same, resumes_to_the_same_bits

import regard
from regard.config.load import load_recipe
from regard.config.training import ScheduledSamplingConfig
from regard.data.batching import make_batch
from regard.nn.dropout import DropoutRng
from regard.training.teacher_forcing import sampling_rate, with_sampled_tokens

NEVER = (0, 1, 2, 3)


def test_the_share_grows_evenly() -> None:
    config = ScheduledSamplingConfig(share=0.4, steps=100)
    assert [sampling_rate(config, step) for step in (0, 25, 100, 999)] == pytest.approx([0.0, 0.1, 0.4, 0.4])


def test_the_inverse_sigmoid_is_half_way_at_its_steps() -> None:
    config = ScheduledSamplingConfig(share=0.4, steps=1000, kind="inverse_sigmoid")
    first, half, end = (sampling_rate(config, step) for step in (1, 1000, 100_000))
    assert first < 0.01
    assert half == pytest.approx(0.2, abs=1e-6)
    assert end == pytest.approx(0.4)


@pytest.mark.parametrize("name", ["bahdanau-lstm", "luong-dot", "unfed-concat", "plain", "pointer"])
def test_all_of_the_words_are_the_models_own(name: str) -> None:
    """A model that is sure of a token is fed it everywhere, but <s> first and nothing on padding."""
    assert name in MODELS
    model = make(name)
    with torch.no_grad():
        model.output.bias[9] = 100.0
        if model.pointer is not None:
            model.pointer.bias.fill_(100.0)
    batch = make_batch(PAIRS, [0, 1, 2], SYMBOLS)
    mixed = with_sampled_tokens(model, batch, DropoutRng(model, seed=1, step=1), 1.0, NEVER)
    expected = torch.where(batch.real, torch.tensor(9), batch.fed)
    expected[:, 0] = SYMBOLS.bos
    assert torch.equal(mixed.fed, expected)
    assert torch.equal(mixed.wanted, batch.wanted)


def test_words_are_drawn_as_probable_as_the_model_says() -> None:
    """Two tokens with probabilities ¾ and ¼, drawn a thousand times."""
    model = make("bahdanau-lstm").double()
    with torch.no_grad():
        model.output.weight.zero_()
        model.output.bias.fill_(-100.0)
        model.output.bias[4], model.output.bias[5] = torch.tensor(3.0).log(), 0.0
    batch = make_batch(PAIRS * 100, range(300), SYMBOLS)
    fed = with_sampled_tokens(model, batch, DropoutRng(model, seed=1, step=1), 1.0, NEVER).fed[:, 1:][
        batch.real[:, 1:]
    ]
    assert set(fed.tolist()) == {4, 5}
    assert (fed == 4).float().mean().item() == pytest.approx(0.75, abs=0.05)


def test_what_is_drawn_is_a_function_of_seed_and_step() -> None:
    model = make("bahdanau-lstm")
    batch = make_batch(PAIRS * 20, range(60), SYMBOLS)
    one, same, other = (
        with_sampled_tokens(model, batch, DropoutRng(model, seed=1, step=step), 0.5, NEVER).fed
        for step in (1, 1, 2)
    )
    assert torch.equal(one, same)
    assert not torch.equal(one, other)
    replaced = (one != batch.fed)[batch.real].float().mean()
    assert 0.2 < replaced < 0.6


def test_symbols_are_never_fed() -> None:
    """Not even by a model that is sure of them."""
    model = make("bahdanau-lstm")
    with torch.no_grad():
        model.output.bias[list(NEVER)] = 50.0
    batch = make_batch(PAIRS, [0, 1, 2], SYMBOLS)
    fed = with_sampled_tokens(model, batch, DropoutRng(model, seed=1, step=1), 1.0, NEVER).fed[:, 1:][
        batch.real[:, 1:]
    ]
    assert not set(fed.tolist()) & set(NEVER)


def test_none_at_the_beginning() -> None:
    model = make("bahdanau-lstm")
    batch = make_batch(PAIRS, [0, 1, 2], SYMBOLS)
    assert with_sampled_tokens(model, batch, DropoutRng(model, seed=1, step=0), 0.0, NEVER) is batch


def test_a_stopped_run_with_it_goes_on_to_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = [*TINY, "training.scheduled_sampling={share: 0.5, steps: 4}"]
    recipe = load_recipe("demo", settings)
    resumes_to_the_same_bits(
        lambda out: regard.train(recipe, out=out, quiet=True), tmp_path, monkeypatch, {7}
    )
    regard.train(load_recipe("demo", TINY), out=tmp_path / "right", quiet=True)
    with pytest.raises(AssertionError):
        assert_same(tmp_path / "whole", tmp_path / "right")
