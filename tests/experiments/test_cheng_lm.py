"""LSTM and LSTMN at equal size, the effects by hand, and the whole in small."""

from pathlib import Path

import pytest

from regard.config.language import LSTMNLMConfig, RecurrentLMConfig
from regard.config.load import Setting
from regard.experiments.cheng_lm import LAYERS, NGRAM, cheng_lm
from regard.experiments.estimates import Quantity, estimate
from regard.experiments.parts import count_parameters
from regard.experiments.reproduce import reproduce

WHOLE = cheng_lm()
TINY: list[Setting] = [
    ("data.train", {"kind": "builtin", "rows": 80, "max_words": 3}),
    ("data.dev", {"kind": "builtin", "rows": 6, "max_words": 3}),
    ("data.test", {"kind": "builtin", "rows": 20, "max_words": 3}),
    ("training.epochs", 1),
]


@pytest.mark.parametrize("quick", [True, False])
def test_as_many_parameters_and_the_same_text(quick: bool) -> None:
    for world in [world for world in WHOLE.worlds if world.in_quick or not quick]:
        for layers in LAYERS:
            if f"lstm-{layers}" not in world.systems:
                continue
            plain, looking = (
                WHOLE.part(world, f"{name}-{layers}", 1, quick).recipe for name in ("lstm", "lstmn")
            )
            assert plain is not None
            assert looking is not None
            assert isinstance(plain.model, RecurrentLMConfig)
            assert isinstance(looking.model, LSTMNLMConfig)
            sizes = [count_parameters(one, vocabulary=one.text.vocabulary_size) for one in (plain, looking)]
            assert sizes[0] == pytest.approx(sizes[1], rel=0.02)
            assert plain.model.layers == looking.model.layers == layers
            assert plain.model.hidden_size > looking.model.hidden_size
            assert (plain.data, plain.text, plain.training) == (looking.data, looking.text, looking.training)
            n_grams = WHOLE.part(world, NGRAM, 1, quick).recipe
            assert n_grams is not None
            assert (n_grams.data, n_grams.text) == (plain.data, plain.text), "they read the same pieces"


def test_the_effects_by_hand() -> None:
    """The paper's own numbers, of PTB: from 115 to 108 is 6.1 % less."""
    measured = {NGRAM: 141.0, "lstm-1": 115.0, "lstmn-1": 108.0, "lstm-3": 107.0, "lstmn-3": 102.0}
    seed = {name: {"perplexity": Quantity(value, (value,) * 40)} for name, value in measured.items()}
    effects = {finding.name: estimate(finding.effect, [seed]).value for finding in WHOLE.findings}
    assert effects["intra-attention helps"] == pytest.approx(6.09, abs=0.01)
    assert effects["an LSTM beats n-grams"] == pytest.approx(18.44, abs=0.01)
    assert effects["intra-attention helps with three layers"] == pytest.approx(4.67, abs=0.01)
    assert effects["more layers help an LSTMN"] == pytest.approx(5.56, abs=0.01)
    assert len(effects) == len(WHOLE.findings)


def test_the_experiment_in_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGARD_DATA", raising=False)
    record = reproduce(cheng_lm(TINY), tmp_path / "x", quick=True, quiet=True)
    assert [part.system for part in record.parts] == list(WHOLE.worlds[0].systems)
    assert all((part.values["perplexity"] or 0) > 1 for part in record.parts)
    assert len(record.findings) == 4
    assert (tmp_path / "x" / "cheng-lm.svg").stat().st_size > 5_000
