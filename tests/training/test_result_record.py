import json
from pathlib import Path

import pytest

from regard.evaluation.record import portable, training_facts
from regard.training.log import LOG


def test_a_validation_that_was_repeated_counts_once(tmp_path: Path) -> None:
    measured = [(2, 0.9), (4, 0.8), (4, 0.7), (6, 0.6)]
    lines = [{"event": "validation", "step": step, "elapsed": 9.0, "loss": loss} for step, loss in measured]
    (tmp_path / LOG).write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = training_facts(tmp_path)["validations"]
    assert [(each["step"], each["loss"]) for each in found] == [(2, 0.9), (4, 0.7), (6, 0.6)]


def test_paths_under_the_data_folder_are_named_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGARD_DATA", "/data/")
    recipe = {"data": {"test": {"path": "/data/trec/test.tsv"}, "more": ["/data2/x", "/data/y", 3, None]}}
    assert portable(recipe) == {
        "data": {
            "test": {"path": "$REGARD_DATA/trec/test.tsv"},
            "more": ["/data2/x", "$REGARD_DATA/y", 3, None],
        }
    }
    monkeypatch.delenv("REGARD_DATA")
    assert portable(recipe) == recipe
