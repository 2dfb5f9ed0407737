"""Steps against length: the effects by hand, and the whole in small."""

from pathlib import Path

import pytest
from tests.experiments.test_step_times import TINY

from regard.errors import ConfigError
from regard.experiments.estimates import Quantity, estimate
from regard.experiments.reproduce import reproduce
from regard.experiments.rnn_against_transformer import LAYER_TITLES, LAYERS, TITLES, rnn_against_transformer
from regard.experiments.step_times import BAHDANAU, LSTM, LUONG, SELF_ATTENTION, TRANSFORMER

SMALL = rnn_against_transformer(TINY, TINY)


def test_the_effects_by_hand() -> None:
    """From 4 to 8 tokens, below the width of 16; up to 16; and from there to 32."""
    times = {
        BAHDANAU: {4: 120, 8: 240, 16: 480},
        LUONG: {4: 80, 8: 90, 16: 100},
        TRANSFORMER: {4: 100, 8: 100, 16: 150},
        LSTM: {4: 30, 8: 30, 16: 40, 32: 50},
        SELF_ATTENTION: {4: 20, 8: 15, 16: 20, 32: 100},
    }
    each = {
        system: {f"ms {length}": Quantity(float(ms)) for length, ms in own.items()}
        for system, own in times.items()
    }
    effects = {
        finding.name: estimate(finding.effect, [each, each], repeats="repetitions").value
        for finding in SMALL.findings
    }
    assert effects == pytest.approx(
        {
            "long sentences cost more than in a Transformer: LSTM, Bahdanau": 100.0,
            "long sentences cost more than in a Transformer: LSTM, Luong, unfed": 12.5,
            "equal tokens take longer in long sentences: LSTM, Bahdanau": 100.0,
            "equal tokens take longer in long sentences: LSTM, Luong, unfed": 12.5,
            "a Transformer trains faster: LSTM, Bahdanau": 80.0,
            "a Transformer trains faster: LSTM, Luong, unfed": -15.0,
            "up to n = d, what is quadratic is the smaller part of a Transformer": 50.0,
            "a self-attention layer is faster while n < d": 75.0,
            "beyond n = d, a self-attention layer grows faster": 300.0,
            "at 32 tokens, self-attention is overtaken": 100.0,
        }
    )


def test_the_experiment_in_small(tmp_path: Path) -> None:
    record = reproduce(SMALL, tmp_path / "x", seeds=2, quick=True, quiet=True)
    assert [part.system for part in record.parts] == [*TITLES] * 2 + [*LAYER_TITLES] * 2  # they take turns
    assert {finding.over for finding in record.findings} == {"repetitions"}
    assert "valid only if it was otherwise idle" in record.notes[0]
    assert {part.values["growth 4"] for part in record.parts} == {1.0}
    assert all((part.values["ms 32"] or 0) > 0 for part in record.parts if part.world == LAYERS)
    assert (tmp_path / "x" / "rnn-against-transformer.svg").stat().st_size > 20_000


def test_one_repetition_is_refused_before_it_is_run(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="one repetition has no interval; expected --seeds 2 or more"):
        reproduce(SMALL, tmp_path / "x", seeds=1, quiet=True)
    assert not (tmp_path / "x").exists()
