"""Weights that no validation has seen are calibrated again."""

from dataclasses import replace
from pathlib import Path

import pytest

from regard.store.folder import read_model
from regard.tasks.calibration import calibrated


@pytest.mark.parametrize("name", ["opinions", "parts_of_speech"])
def test_the_temperature_is_that_of_the_run_where_the_weights_are(
    request: pytest.FixtureRequest, name: str
) -> None:
    folder: Path = request.getfixturevalue(name)
    stored = read_model(folder)
    without = replace(stored, summary={"average_of": ["a", "b"]})
    again = calibrated(without, "x")
    assert again.summary["temperature"] == pytest.approx(stored.summary["temperature"], rel=1e-3)
    assert again.summary["average_of"] == ["a", "b"]
