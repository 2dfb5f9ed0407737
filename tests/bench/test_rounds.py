"""The driver of the benchmarks, with real sides: regard itself and the floor, one step of a tiny network."""

import sys
from pathlib import Path

import pytest
from bench.job import Network
from bench.prepare import make_job, recipe_of
from bench.recurrent import sides_of
from bench.rounds import Measured, in_turn
from bench.training import training_sides, training_table

TINY = {"embedding": 6, "encoder": 4, "decoder": 10, "align": 10, "readout": 10}


def test_regard_and_the_floor_take_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("REGARD_DATA", raising=False)
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    network = Network("additive", "previous", input_feeding=False, **TINY)
    rows = {"kind": "builtin", "rows": 40}
    few = [(f"data.{split}", rows) for split in ("train", "dev", "test")]
    recipe = recipe_of(network, vocabulary=400, batch_tokens=64, more=few)
    job = tmp_path / "job.json"
    make_job(recipe, network, tmp_path, batches=1, polite=True).write(job)
    sides = training_sides(job, sides_of("tiny"), peers={})

    measured = in_turn(sides, rounds=2, threads=1)

    assert list(measured) == ["floor", "regard"]
    assert all(len(side.seconds) == 2 and min(side.seconds) > 0 for side in measured.values())
    assert measured["regard"].last["steps"] == 3  # one to get warm, one a round
    assert measured["regard"].facts["tokens"] == measured["floor"].facts["tokens"] > 0
    assert measured["regard"].facts["parameters"] > 0
    assert 0 < measured["regard"].last["loss"] < 12
    assert "round 2 of 2" in capsys.readouterr().err
    assert "x floor" in training_table(measured, 1)[1]


def test_a_side_that_dies_is_named_with_its_last_words() -> None:
    dies = [sys.executable, "-c", "raise SystemExit('no such corpus')"]
    with pytest.raises(SystemExit, match=r"(?s)plain gave up:.*no such corpus"):
        in_turn({"plain": dies}, rounds=1, threads=1)


def test_a_ratio_is_the_median_over_rounds() -> None:
    one, other = Measured({}, [2.0, 9.0, 4.0], []), Measured({}, [1.0, 3.0, 4.0], [])
    assert one.times(other) == (2.0, 1.0, 3.0)
