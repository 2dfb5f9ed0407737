"""Weights that no validation has seen are calibrated again."""

from dataclasses import replace
from pathlib import Path

import pytest

from regard.store.folder import read_model
from regard.tasks.calibrating import calibrated


def test_the_temperature_is_that_of_the_run_where_the_weights_are(opinions: Path) -> None:
    stored = read_model(opinions)
    without = replace(stored, summary={"average_of": ["a", "b"]})
    again = calibrated(without, "x")
    assert again.summary["temperature"] == pytest.approx(stored.summary["temperature"], rel=1e-3)
    assert again.summary["average_of"] == ["a", "b"]
