"""Weights in the model's place: the moving average, and the mean of checkpoints at the end of a run."""

import contextlib
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.conftest import Run
from tests.examples import cells
from tests.training.tiny import TINY, assert_same, last, resumes_to_the_same_bits
from torch import nn

import regard
from regard.errors import StoppedError
from regard.store.average import average_models
from regard.store.folder import read_model
from regard.store.pointer import read_pointers
from regard.tasks.translation.trainer import TranslationTrainer
from regard.training import state
from regard.training.state import MovingAverage, RunSummary, load_trainer_state, swapped_in


def test_the_moving_average_by_hand() -> None:
    model = nn.Linear(1, 1, bias=False)
    model.weight.data.fill_(4.0)
    moving = MovingAverage(model, decay=0.5)
    for step, weight, expected in (
        (1, 8.0, 2 / 11 * 4.0 + 9 / 11 * 8.0),  # (1 + 1) / (10 + 1) is below the decay
        (8, 0.0, 0.5 * (2 / 11 * 4.0 + 9 / 11 * 8.0)),  # (1 + 8) / (10 + 8) = 0.5
        (100, 0.0, 0.25 * (2 / 11 * 4.0 + 9 / 11 * 8.0)),
    ):
        model.weight.data.fill_(weight)
        moving.update(step)
        assert float(moving.weights["weight"]) == pytest.approx(expected)


def test_a_checkpoint_gives_back_the_average_and_what_is_trained() -> None:
    """As a rollback needs it: the model holds what was stored, which is the average."""
    model = nn.Linear(1, 1, bias=False)
    optimizer = torch.optim.Adam(model.parameters())
    moving = MovingAverage(model, decay=0.5)
    model.weight.data.fill_(3.0)
    load_trainer_state(optimizer, model, moving, {"weight/weight": torch.full((1, 1), 7.0)})
    assert float(moving.weights["weight"]) == 3.0
    assert model.weight.item() == 7.0


def test_weights_are_held_for_a_while() -> None:
    model = nn.Linear(2, 2)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    other = {name: torch.zeros_like(value) for name, value in before.items()}
    with contextlib.suppress(KeyError), swapped_in(model, other):
        assert all(not value.any() for value in model.parameters())
        raise KeyError
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


def train(out: Path, *settings: str) -> RunSummary:
    return regard.train("demo", out=out, set_=[*TINY, *settings], quiet=True)


def events(run: Path, kind: str) -> list[dict[str, Any]]:
    lines = map(json.loads, (run / "log.jsonl").read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line["event"] == kind]


EMA = "training.ema=0.9"
MEAN = "training.average={of: last, count: 3}"
AVERAGES = {"ema": (EMA,), "mean": (MEAN,), "both": (EMA, MEAN)}


@cells("name", AVERAGES, quick=["both"])
def test_a_stop_changes_no_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    settings = AVERAGES[name]
    train(tmp_path / "whole", *settings)
    steps = events(tmp_path / "whole", "end")[0]["steps"]
    stops = {2, steps // 2 + 1, steps}
    resumes_to_the_same_bits(lambda out: train(out, *settings), tmp_path, monkeypatch, stops)


def test_the_average_is_what_is_stored_and_measured(tmp_path: Path) -> None:
    train(tmp_path / "plain")
    train(tmp_path / "ema", EMA)
    plain, averaged = last(tmp_path / "plain"), last(tmp_path / "ema")
    for name, weight in plain.model.weights.items():
        assert torch.equal(averaged.optimizer[f"weight/{name}"], weight), "training itself is the same"
        assert not torch.equal(averaged.model.weights[name], weight)
    losses = [[event["loss"] for event in events(tmp_path / run, "step")] for run in ("plain", "ema")]
    assert losses[0] == losses[1]
    dev = [events(tmp_path / run, "validation")[0]["loss"] for run in ("plain", "ema")]
    assert dev[0] != dev[1]


def test_the_mean_of_the_best_is_the_model_where_it_is_better(tmp_path: Path) -> None:
    """With steps that jump about, the mean of all checkpoints is better than each."""
    wild = ("training.optimizer.learning_rate=0.4", "training.schedule.kind=constant")
    summary = train(tmp_path, *wild, "training.schedule.warmup_steps=0", "training.average={count: 4}")
    entries = read_pointers(tmp_path).top(4)
    assert summary.averaged == tuple(entry.step for entry in entries)
    (told,) = events(tmp_path, "average")
    assert told["best"]
    assert told["loss"] == summary.best["loss"] < min(-(entry.score or 0.0) for entry in entries)
    weights = [read_model(tmp_path / entry.folder).weights for entry in entries]
    for name, weight in read_model(tmp_path).weights.items():
        mean = torch.stack([each[name].double() for each in weights]).mean(0)
        torch.testing.assert_close(weight.double(), mean, rtol=1e-6, atol=1e-7)


def test_a_mean_that_is_not_better_is_left_alone(tmp_path: Path) -> None:
    """While every step is still a gain, the mean lags behind."""
    summary = train(tmp_path, MEAN)
    (told,) = events(tmp_path, "average")
    assert not told["best"]
    assert summary.averaged == ()
    assert regard.load(tmp_path).summary["step"] == summary.best_step


def test_a_checkpoint_every_so_many_steps(tmp_path: Path) -> None:
    train(tmp_path, "training.keep.every=3")
    steps = events(tmp_path, "end")[0]["steps"]
    there = {entry.step for entry in read_pointers(tmp_path).checkpoints}
    assert set(range(3, steps + 1, 3)) <= there


def test_the_command_averages_what_a_run_has_kept(tmp_path: Path, run: Run) -> None:
    train(tmp_path / "r", "training.keep.best=3")
    done = run("average", tmp_path / "r", "--best", "3", "--out", tmp_path / "m")
    assert done.returncode == 0, done.stderr
    folders = [tmp_path / "r" / entry.folder for entry in read_pointers(tmp_path / "r").top(3)]
    expected = average_models(folders).weights
    found = read_model(tmp_path / "m").weights
    assert all(torch.equal(found[name], expected[name]) for name in expected)
    for arguments, told in (
        (["r", "--best", "9"], "measured checkpoints, 9 are wanted; training.keep.best"),
        (["r"], "expected two models or more to average, found 1"),
        (["r", "--best", "2", "--last", "2"], "exclude each other"),
        (["m", "m"], "m: is there already"),
    ):
        out = "m" if told.endswith("already") else "x"
        wrong = run("average", *(_there(tmp_path, a) for a in arguments), "--out", tmp_path / out)
        assert (wrong.returncode, told in wrong.stderr) == (2, True), wrong.stderr


def _there(folder: Path, argument: str) -> str | Path:
    return folder / argument if argument in ("r", "m") else argument


@pytest.mark.parametrize("call", [1, 2], ids=["as the average comes", "as it goes"])
def test_a_signal_while_weights_are_put_in_place_changes_no_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: int
) -> None:
    """The model has the average for a validation; whenever a signal comes, its own weights are kept."""
    train(tmp_path / "whole", EMA)
    real, calls = state._put, []

    def interrupted(own: Any, weights: Any) -> None:
        calls.append(1)
        if len(calls) == call:
            os.kill(os.getpid(), signal.SIGTERM)
        real(own, weights)

    monkeypatch.setattr(state, "_put", interrupted)
    with pytest.raises(StoppedError):
        train(tmp_path / "r", EMA)
    train(tmp_path / "r", EMA)
    assert_same(tmp_path / "whole", tmp_path / "r")


def test_a_signal_in_the_last_average_changes_no_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train(tmp_path / "whole", MEAN)
    real, stops = TranslationTrainer.mean, [1]

    def interrupted(self: TranslationTrainer, config: Any) -> Any:
        if stops:
            stops.pop()
            os.kill(os.getpid(), signal.SIGTERM)
        return real(self, config)

    monkeypatch.setattr(TranslationTrainer, "mean", interrupted)
    with pytest.raises(StoppedError):
        train(tmp_path / "r", MEAN)
    train(tmp_path / "r", MEAN)
    assert_same(tmp_path / "whole", tmp_path / "r")


def test_a_damaged_checkpoint_is_left_out_of_the_average(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = TranslationTrainer.mean

    def damaged(self: TranslationTrainer, config: Any) -> Any:
        folder = tmp_path / read_pointers(tmp_path).latest(3)[0].folder
        (folder / "model.safetensors").write_bytes(b"x")
        return real(self, config)

    monkeypatch.setattr(TranslationTrainer, "mean", damaged)
    regard.train("demo", out=tmp_path, set_=[*TINY, MEAN])
    assert len(events(tmp_path, "average")[0]["steps"]) == 2
    assert "it is left out of the average" in capsys.readouterr().err
