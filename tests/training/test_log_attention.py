"""training.log_attention: measures in the log, and the same bits in the weights."""

from pathlib import Path

import pytest
from tests.training.tiny import last, log, same_tensors, train

import regard
from regard.config.load import load_recipe
from regard.errors import ConfigError


def test_validations_have_measures_and_training_has_the_same_bits(tmp_path: Path) -> None:
    train(tmp_path / "plain")
    train(tmp_path / "logged", "training.log_attention=true")
    plain, logged = (
        [event for event in log(tmp_path / name) if event["event"] == "validation"]
        for name in ("plain", "logged")
    )
    assert not any("attention" in name for event in plain for name in event)
    for event in logged:
        assert event["attention_entropy"] > 0
        assert 0 < event["attention_coverage"] <= 1
        assert 0 <= event["aer"] <= 1
    assert [event["loss"] for event in plain] == [event["loss"] for event in logged]
    one, other = last(tmp_path / "plain"), last(tmp_path / "logged")
    assert same_tensors(one.model.weights, other.model.weights)
    assert same_tensors(one.optimizer, other.optimizer)


def test_a_model_without_attention_is_refused(tmp_path: Path) -> None:
    recipe = load_recipe(
        "self-attentive",
        ["data.train.rows=60", "data.dev.rows=10", "model.pooling={kind: max}", "model.head={kind: linear}",
         "training.log_attention=true"],
    )  # fmt: skip
    with pytest.raises(ConfigError, match=r"training\.log_attention: this model has no attention"):
        regard.train(recipe, out=tmp_path / "r", quiet=True)
