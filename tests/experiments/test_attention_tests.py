"""Attention as an explanation: systems that differ in one part, the effects by hand, and both in small."""

import math
from pathlib import Path

import pytest

from regard.config.load import Setting
from regard.experiments.attention_tests import AVERAGE, BILSTM, UNIFORM, recipe_of
from regard.experiments.estimates import Quantity, estimate
from regard.experiments.experiment import Experiment
from regard.experiments.jain_wallace import jain_wallace
from regard.experiments.reproduce import reproduce
from regard.experiments.wiegreffe_pinter import wiegreffe_pinter

TINY: list[Setting] = [
    ("data.train.rows", 60),
    ("data.dev.rows", 10),
    ("data.test.rows", 24),
    ("training.epochs", 1),
]


@pytest.mark.parametrize("world", ["built-in", "sst2", "nsmc"])
@pytest.mark.parametrize(("system", "part"), [(AVERAGE, "encoder"), (UNIFORM, "pooling")])
def test_one_part_differs(world: str, system: str, part: str) -> None:
    one, other = (recipe_of(world, name).model_dump(mode="json") for name in (BILSTM, system))
    assert one["model"].pop(part) != other["model"].pop(part)
    assert one == other


def effects(experiment: Experiment, values: dict[str, dict[str, float]]) -> dict[str, float]:
    seed = {
        system: {name: Quantity(value, (value,) * 40) for name, value in own.items()}
        for system, own in values.items()
    }
    return {
        finding.name: estimate(finding.effect, [seed]).value
        for finding in experiment.findings
        if finding.world == "sst2"
    }


def test_the_effects_by_hand() -> None:
    """With numbers of the first paper, of SST."""
    values = {
        BILSTM: {"tau_gradient": 0.35, "tau_leave_one_out": 0.29, "permutation": 0.006, "adversary": 0.6},
        AVERAGE: {"tau_gradient": 0.61, "tau_leave_one_out": 0.62},
    }
    found = effects(jain_wallace(), values)
    assert list(found.values()) == pytest.approx([0.26, 0.33, 0.006, math.log(2) - 0.6])
    values = {
        BILSTM: {"accuracy": 83.0, "frozen_gain": 0.05, "adversary": 0.6, "seed_divergence": 0.1},
        UNIFORM: {"accuracy": 82.0},
    }
    found = effects(wiegreffe_pinter(), values)
    assert list(found.values()) == pytest.approx([1.0, 5.0, 0.5])


def test_jain_and_wallace_in_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGARD_DATA", raising=False)
    record = reproduce(jain_wallace(TINY), tmp_path / "x", quick=True, quiet=True)
    assert [part.system for part in record.parts] == [BILSTM, AVERAGE]
    for part in record.parts:
        assert -1 <= (part.values["tau_gradient"] or 0) <= 1
        assert 0 <= (part.values["adversary"] or 0) <= math.log(2)
        assert "seed_divergence" not in part.values
    assert len(record.findings) == 4


def test_wiegreffe_and_pinter_in_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGARD_DATA", raising=False)
    record = reproduce(wiegreffe_pinter(TINY), tmp_path / "x", quick=True, quiet=True)
    values = {part.system: part.values for part in record.parts}
    assert values[UNIFORM].keys() == {"accuracy"}, "there is no attention to test"
    assert (values[BILSTM]["seed_divergence"] or 0) > 0, "another seed is another model"
    assert len(record.findings) == 3
