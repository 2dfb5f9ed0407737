"""Steps against length: equal models, equal batches, the effects by hand, and the whole in small."""

from pathlib import Path

import pytest
import torch
from tests.experiments.toy import recurrent

from regard.config.transformer import TransformerConfig
from regard.errors import ConfigError
from regard.experiments import rnn_against_transformer as module
from regard.experiments.estimates import Quantity, estimate
from regard.experiments.parameters import count_parameters
from regard.experiments.reproduce import reproduce
from regard.experiments.rnn_against_transformer import (
    BAHDANAU,
    LUONG,
    QUICK,
    TITLES,
    TRANSFORMER,
    RandomSentences,
    TimedTask,
    recipe_of,
    rnn_against_transformer,
    time_steps,
)
from regard.models.catalogue import build_model
from regard.nn.noise import Noise

WHOLE = TimedTask()
TINY = TimedTask(lengths=(4, 8, 16, 32), tokens=64, width=16, layers=1, vocabulary=300, steps=1)


@pytest.mark.parametrize("task", [WHOLE, QUICK])
def test_as_many_parameters(task: TimedTask) -> None:
    sizes = {
        system: count_parameters(recipe_of(task, system), vocabulary=task.vocabulary) for system in TITLES
    }
    assert sizes == pytest.approx(dict.fromkeys(TITLES, sizes[TRANSFORMER]), rel=0.02)
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
            found = sentences.loss(sentences.rows, Noise(model, seed=1, step=1))
        assert (found.tokens, found.padding) == (TINY.tokens, 0.0)
        batch = sentences.batch(sentences.rows)
        assert batch.source.shape == batch.wanted.shape == (TINY.tokens // length, length)


def test_every_other_repetition_goes_from_long_to_short(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[int] = []

    def taken(model: object, recipe: object, task: TimedTask, length: int) -> float:
        order.append(length)
        return length / 1000

    monkeypatch.setattr(module, "_step_seconds", taken)
    first, second = (time_steps(TINY, TRANSFORMER, repetition) for repetition in (1, 2))
    assert order == [4, 8, 16, 32, 32, 16, 8, 4]
    assert first.quantities == second.quantities
    assert {name: each.value for name, each in first.quantities.items()} == {
        "ms 4": 4.0, "ms 8": 8.0, "ms 16": 16.0, "ms 32": 32.0,
        "growth 4": 1.0, "growth 8": 2.0, "growth 16": 4.0, "growth 32": 8.0,
    }  # fmt: skip


def test_the_effects_by_hand() -> None:
    """From 4 to 8 tokens, below the width of 16; up to 16; and from there to 32."""
    times = {
        BAHDANAU: {4: 120, 8: 240, 16: 480, 32: 960},
        LUONG: {4: 80, 8: 90, 16: 100, 32: 120},
        TRANSFORMER: {4: 100, 8: 100, 16: 150, 32: 360},
    }
    each = {
        system: {f"ms {length}": Quantity(float(ms)) for length, ms in own.items()}
        for system, own in times.items()
    }
    findings = rnn_against_transformer(TINY, TINY).findings
    effects = {
        finding.name: estimate(finding.effect, [each, each], repeats="repetitions").value
        for finding in findings
    }
    assert effects == pytest.approx(
        {
            "long sentences cost more beside a Transformer: LSTM, Bahdanau": 100.0,
            "long sentences cost more beside a Transformer: LSTM, Luong, unfed": 12.5,
            "equal tokens take longer in long sentences: LSTM, Bahdanau": 100.0,
            "equal tokens take longer in long sentences: LSTM, Luong, unfed": 12.5,
            "a Transformer is faster while n < d: LSTM, Bahdanau": 80.0,
            "a Transformer is faster while n < d: LSTM, Luong, unfed": -15.0,
            "up to n = d, what is quadratic is the smaller part": 50.0,
            "beyond n = d, a Transformer's time grows faster": 100.0,
        }
    )


def test_the_experiment_in_small(tmp_path: Path) -> None:
    experiment = rnn_against_transformer(TINY, TINY)
    record = reproduce(experiment, tmp_path / "x", seeds=2, quick=True, quiet=True)
    assert [part.system for part in record.parts] == [*TITLES] * 2  # they take turns
    assert {finding.over for finding in record.findings} == {"repetitions"}
    assert record.notes[0] == "times are of one machine, and of worth only if it had nothing else to do"
    assert all((part.values["ms 32"] or 0) > 0 for part in record.parts)
    assert {part.values["growth 4"] for part in record.parts} == {1.0}
    assert (tmp_path / "x" / "rnn-against-transformer.svg").stat().st_size > 20_000


def test_one_repetition_is_refused_before_it_is_run(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="one repetition has no interval; expected --seeds 2 or more"):
        reproduce(rnn_against_transformer(TINY, TINY), tmp_path / "x", seeds=1, quiet=True)
    assert not (tmp_path / "x").exists()
