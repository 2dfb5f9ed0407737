"""A run that was stopped and goes on gives the same bits as one that never stopped."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import torch

import regard
from regard.errors import StoppedError, StoreError
from regard.store.checkpoint import Checkpoint, read_checkpoint
from regard.training import loop

TINY = [
    "data.train.rows=120", "data.train.max_words=3", "data.dev.rows=8", "data.dev.max_words=3",
    "text={kind: bpe, vocabulary_size: 400, dropout: 0.1}", "model.embedding_size=8",
    "model.encoder.hidden_size=8", "model.attention.hidden_size=8", "model.decoder.hidden_size=8",
    "model.dropout=0.1", "training.batch_tokens=96", "training.epochs=2", "training.best_by=loss",
    "training.validations_per_epoch=2",
]  # fmt: skip
Whole = tuple[Path, int, int, str]
TIMES = {"tokens_per_second", "elapsed", "seconds", "memory_mb"}


def train(out: Path, *settings: str) -> None:
    regard.train("demo", out=out, settings=[*TINY, *settings], quiet=True)


def last(run: Path) -> Checkpoint:
    found, problems = read_checkpoint(run)
    assert found is not None
    assert problems == []
    return found


def log(run: Path) -> list[dict[str, Any]]:
    lines = (run / "log.jsonl").read_text(encoding="utf-8").splitlines()
    return [{k: v for k, v in json.loads(line).items() if k not in TIMES} for line in lines]


def assert_same(one: Path, other: Path) -> None:
    """Weights, optimizer, progress, best model and log, to the bit."""
    a, b = last(one), last(other)
    assert a.model.weights.keys() == b.model.weights.keys()
    assert all(torch.equal(a.model.weights[name], b.model.weights[name]) for name in a.model.weights)
    assert a.optimizer.keys() == b.optimizer.keys()
    assert all(torch.equal(a.optimizer[name], b.optimizer[name]) for name in a.optimizer)
    timeless = [{k: v for k, v in c.progress.items() if k not in {*TIMES, "log_bytes"}} for c in (a, b)]
    assert timeless[0] == timeless[1]
    best = [regard.load(run).module.state_dict() for run in (one, other)]
    assert all(torch.equal(best[0][name], best[1][name]) for name in best[0])
    assert log(one) == log(other)


def stop_after(monkeypatch: pytest.MonkeyPatch, steps: set[int], number: int = signal.SIGTERM) -> None:
    """A real signal to this process in the middle of the given steps."""
    real = loop.forward_and_back

    def with_signal(task: Any, config: Any, batches: Any, step: int) -> Any:
        if step in steps:
            steps.remove(step)
            os.kill(os.getpid(), number)
        return real(task, config, batches, step)

    monkeypatch.setattr(loop, "forward_and_back", with_signal)


@pytest.fixture(scope="module", params=[1, 4], ids=["plain", "accumulated"])
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """A run that was never stopped: its folder, its steps, the steps of its first epoch, its setting."""
    run = tmp_path_factory.mktemp("whole") / "r"
    setting = f"training.accumulate={request.param}"
    train(run, setting)
    steps = [event for event in log(run) if event["event"] == "step"]
    first = len([event for event in steps if event["epoch"] <= 1])
    return run, len(steps), first, setting


@pytest.mark.parametrize(
    "place", ["first", "mid", "last of epoch", "first of next", "last but one", "several"]
)
def test_a_stopped_run_goes_on_to_the_same_bits(
    tmp_path: Path, whole: Whole, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, total, first, setting = whole
    assert first > 3
    places = {
        "first": {1},
        "mid": {first // 2 + 1},
        "last of epoch": {first},
        "first of next": {first + 1},
        "last but one": {total - 1},
        "several": {1, 2, first - 1, first, first + 2, total},
    }[place]
    stops = len(places)
    stop_after(monkeypatch, places)
    for _ in range(stops):
        with pytest.raises(StoppedError, match="stopped by SIGTERM after step"):
            train(tmp_path / "r", setting)
    train(tmp_path / "r", setting)
    assert_same(run, tmp_path / "r")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGUSR1])
def test_signals_stop_with_their_own_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    before = [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)]
    stop_after(monkeypatch, {2}, number)
    with pytest.raises(StoppedError) as caught:
        train(tmp_path / "r")
    assert caught.value.exit_code == 128 + number
    assert [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)] == before


def test_a_signal_in_validation_does_not_wait_for_its_end(
    tmp_path: Path, whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, _, _, setting = whole
    from regard.training.translation import TranslationTraining

    real = TranslationTraining.validate
    calls: list[int] = []

    def validate(self: TranslationTraining) -> dict[str, float]:
        calls.append(1)
        if len(calls) == 2:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(5)
            raise AssertionError("the signal was not heard")
        return real(self)

    monkeypatch.setattr(TranslationTraining, "validate", validate)
    begun = time.monotonic()
    with pytest.raises(StoppedError):
        train(tmp_path / "r", setting)
    assert time.monotonic() - begun < 30
    train(tmp_path / "r", setting)
    assert_same(run, tmp_path / "r")


def test_kill_minus_nine(tmp_path: Path, whole: Whole) -> None:
    """Killed again and again at any moment, with a checkpoint after every step."""
    run, _, _, setting = whole
    command = [sys.executable, "-m", "regard", "train", "demo", "--out", str(tmp_path / "r"), "-q"]
    settings = [*TINY, setting, "training.save_minutes=0.0000001"]
    command += [argument for one in settings for argument in ("--set", one)]
    for kill in range(4):
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as trainer:
            deadline = time.monotonic() + 60
            wanted = 400 * (kill + 1)
            path = tmp_path / "r" / "log.jsonl"
            while trainer.poll() is None and time.monotonic() < deadline:
                if path.exists() and path.stat().st_size > 2500 + wanted:
                    break
                time.sleep(0.002)
            trainer.kill()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "is finished" not in done.stderr:
        assert done.returncode == 0, done.stderr
    with pytest.raises(StoreError, match="the run in it is finished"):
        train(tmp_path / "r", setting, "training.save_minutes=0.0000001")
    a, b = last(run), last(tmp_path / "r")
    assert all(torch.equal(a.model.weights[name], b.model.weights[name]) for name in a.model.weights)
    assert all(torch.equal(a.optimizer[name], b.optimizer[name]) for name in a.optimizer)
    assert log(run)[1:] == log(tmp_path / "r")[1:]  # the first names the recipe, which saves more often


def test_another_recipe_or_other_data_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "x.tsv"
    run_lines = "".join(f"나는 책 {n}\tbook {n}\n" for n in range(60))
    table.write_text("ko\ten\n" + run_lines, encoding="utf-8")
    stop_after(monkeypatch, {3})
    with pytest.raises(StoppedError):
        train(tmp_path / "r", f"data.train={table}")
    with pytest.raises(StoreError, match=r"another recipe \(training.epochs is 2 there, 3 here\)"):
        train(tmp_path / "r", f"data.train={table}", "training.epochs=3")
    table.write_text("ko\ten\n" + run_lines.replace("book 7\n", "book seven\n"), encoding="utf-8")
    with pytest.raises(StoreError, match="the data has changed since this run began"):
        train(tmp_path / "r", f"data.train={table}")


def test_a_change_of_versions_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stop_after(monkeypatch, {2})
    with pytest.raises(StoppedError):
        train(tmp_path / "r")
    monkeypatch.setattr("regard.api.versions", lambda: {"torch": "9.9"})
    regard.train("demo", out=tmp_path / "r", settings=TINY)
    told = capsys.readouterr().err
    assert "going on after step 2" in told
    assert f"not the same bits as without the stop: torch {torch.__version__} → 9.9" in told
