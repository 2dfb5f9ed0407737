"""A limit of time: where it ends a run, what the learning rate does, and that a stop does not extend it."""

import itertools
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.training.tiny import assert_same, last, log, steps, stop_in, train

from regard.errors import StoppedError
from regard.training import loop, progress

WARM_UP = "training.schedule.warmup_steps=0"


@pytest.fixture
def steady_clock(monkeypatch: pytest.MonkeyPatch) -> float:
    """A clock that is a second later each time it is looked at: a step takes 2 seconds, by that clock."""
    ticks = itertools.count()
    for module in (loop, progress):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: float(next(ticks))))
    return 2.0


def minutes(count: float, step_seconds: float) -> str:
    return f"training.minutes={count * step_seconds / 60}"


def test_it_ends_after_the_step_in_which_the_time_is_over(tmp_path: Path, steady_clock: float) -> None:
    """The model is measured then, in the middle of the epoch; the decay has come to its end."""
    train(tmp_path / "r", "training.epochs=50", minutes(9.5, steady_clock), WARM_UP)
    assert [event["step"] for event in steps(tmp_path / "r")] == list(range(1, 11))
    assert last(tmp_path / "r").progress["training_seconds"] == 10 * steady_clock
    events = log(tmp_path / "r")
    assert [event["event"] for event in events[-2:]] == ["validation", "end"]
    assert (events[-2]["step"], events[-1]["steps"], events[-1]["stopped_early"]) == (10, 10, False)


def test_the_learning_rate_follows_the_time(tmp_path: Path, steady_clock: float) -> None:
    """Linear, from the peak: a step that begins with a quarter of the time over has three quarters."""
    schedule = "training.schedule={kind: linear, warmup_steps: 0, floor: 0.0}"
    train(
        tmp_path / "r", "training.epochs=50", minutes(8, steady_clock), schedule,
        "training.optimizer.learning_rate=0.008",
    )  # fmt: skip
    rates = [event["learning_rate"] for event in steps(tmp_path / "r")]
    assert rates[1:] == pytest.approx([0.007, 0.006, 0.005, 0.004, 0.003, 0.002, 0.001])


def test_epochs_that_are_over_before_end_it_as_ever(tmp_path: Path) -> None:
    train(tmp_path / "a", "training.epochs=1")
    train(tmp_path / "b", "training.epochs=1", "training.minutes=600")
    assert len(steps(tmp_path / "a")) == len(steps(tmp_path / "b")) > 5


@pytest.mark.parametrize("stops", [{4}, {3, 8}, {10}])
def test_a_stopped_run_has_the_time_that_was_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steady_clock: float, stops: set[int]
) -> None:
    settings = ["training.epochs=50", minutes(9.5, steady_clock)]
    train(tmp_path / "whole", *settings)
    stop_in(monkeypatch, set(stops))
    for _ in stops:
        with pytest.raises(StoppedError):
            train(tmp_path / "r", *settings)
    train(tmp_path / "r", *settings)
    assert_same(tmp_path / "whole", tmp_path / "r")
