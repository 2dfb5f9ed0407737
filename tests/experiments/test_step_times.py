"""What is timed: models of equal size, batches of equal tokens, layers that are what they are called."""

from collections.abc import Callable

import pytest
import torch
from tests.experiments.toy import recurrent
from torch import nn

from regard.config.transformer import TransformerConfig
from regard.experiments import step_times
from regard.experiments.experiment import Measured
from regard.experiments.parts import count_parameters
from regard.experiments.rnn_against_transformer import QUICK
from regard.experiments.step_times import (
    BAHDANAU,
    LUONG,
    TRANSFORMER,
    LstmLayer,
    RandomSentences,
    SelfAttentionLayer,
    TimedTask,
    median_seconds,
    recipe_of,
    time_layer,
    time_model,
)
from regard.models.catalogue import build_model
from regard.nn.dropout import DropoutRng

TINY = TimedTask(
    lengths=(4, 8, 16), tokens=32, width=16, layers=1, vocabulary=300, layer_lengths=(4, 8, 16, 32),
    layer_tokens=64, steps=1,
)  # fmt: skip


@pytest.mark.parametrize("task", [TimedTask(), QUICK])
def test_as_many_parameters(task: TimedTask) -> None:
    sizes = {
        system: count_parameters(recipe_of(task, system), vocabulary=task.vocabulary)
        for system in (BAHDANAU, LUONG, TRANSFORMER)
    }
    assert sizes == pytest.approx(dict.fromkeys(sizes, sizes[TRANSFORMER]), rel=0.02)
    decoders = {system: recurrent(recipe_of(task, system)).decoder for system in (BAHDANAU, LUONG)}
    assert {system: (each.query, each.feeds) for system, each in decoders.items()} == {
        BAHDANAU: ("previous", False),
        LUONG: ("current", False),
    }
    model = recipe_of(task, TRANSFORMER).model
    assert isinstance(model, TransformerConfig)
    assert (model.width, model.encoder_layers) == (task.width, task.layers)


def test_as_many_tokens_whatever_the_length() -> None:
    """Every batch is full: no padding, and as many tokens on either side, </s> counted."""
    model = build_model(recipe_of(TINY, TRANSFORMER).model, source_size=300, target_size=300)
    for length in TINY.lengths:
        sentences = RandomSentences(model, TINY, length, smoothing=0.1)
        with torch.no_grad():
            found = sentences.loss(sentences.rows, DropoutRng(model, seed=1, step=1))
        assert (found.tokens, found.padding) == (TINY.tokens, 0.0)
        batch = sentences.batch(sentences.rows)
        assert batch.source.shape == batch.wanted.shape == (TINY.tokens // length, length)


@pytest.mark.parametrize(("kind", "sees_later"), [(LstmLayer, False), (SelfAttentionLayer, True)])
def test_the_layers(kind: Callable[[int], nn.Module], sees_later: bool) -> None:
    """Another last word changes what an attention says of the first, and not what an LSTM does."""
    torch.manual_seed(1)
    layer, words = kind(8), torch.randn(2, 5, 8)
    other = words.clone()
    other[:, -1] += 1.0
    first, second = (layer(given).view(2, 5, 8) for given in (words, other))
    assert torch.equal(first[:, 0], second[:, 0]) != sees_later
    assert not torch.equal(first[:, -1], second[:, -1])


def test_the_first_step_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps of 100, 2, 9 and 4 seconds: the median of the last three."""
    now, taken = 0.0, iter([100.0, 2.0, 9.0, 4.0])
    numbers = []

    def step(number: int) -> None:
        nonlocal now
        numbers.append(number)
        now += next(taken)

    monkeypatch.setattr("time.perf_counter", lambda: now)
    assert median_seconds(step, 3) == 4.0
    assert numbers == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("measure", "system", "lengths"),
    [(time_model, TRANSFORMER, TINY.lengths), (time_layer, "lstm", TINY.layer_lengths)],
)
def test_every_other_repetition_goes_from_long_to_short(
    measure: Callable[..., Measured],
    system: str,
    lengths: tuple[int, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seconds = iter([*lengths, *lengths[::-1]])
    monkeypatch.setattr(step_times, "median_seconds", lambda *_: next(seconds) / 1000)
    first, second = (measure(TINY, system, repetition) for repetition in (1, 2))
    assert {name: each.value for name, each in first.quantities.items()} == {
        **{f"ms {length}": float(length) for length in lengths},
        **{f"growth {length}": length / 4 for length in lengths},
    }
    assert second.quantities == first.quantities


def test_the_random_state_of_others_is_not_touched() -> None:
    torch.manual_seed(3)
    before = torch.get_rng_state()
    time_layer(TINY, "self-attention", 1)
    time_model(TINY, LUONG, 1)
    assert torch.equal(torch.get_rng_state(), before)
