"""What the tests of stopped runs share: a tiny run, how to stop it, and when two of them are the same."""

import json
import os
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import torch

import regard
from regard.config.load import Setting
from regard.errors import StoppedError
from regard.store.checkpoint import Checkpoint, read_checkpoint
from regard.training import loop
from regard.training.step import forward_backward

TINY = [
    "data.train.rows=60", "data.train.max_words=3", "data.dev.rows=4", "data.dev.max_words=3",
    "text={kind: bpe, vocabulary_size: 400, dropout: 0.1}", "model.embedding_size=8",
    "model.encoder.hidden_size=8", "model.attention.hidden_size=8", "model.decoder.hidden_size=8",
    "model.dropout=0.1", "training.batch_tokens=96", "training.epochs=2", "training.best_by=loss",
    "training.validations_per_epoch=2", "decoding.max_length_factor=0", "decoding.max_length_extra=4",
]  # fmt: skip
"""About 12 batches an epoch, shuffled, with dropout and BPE-dropout."""
SMALL = [
    "model.embedding_size=16", "model.encoder.hidden_size=12", "model.attention.hidden_size=8",
    "model.decoder.hidden_size=16", "training.batch_tokens=256",
]  # fmt: skip
"""A model that trains in a second, and larger batches."""
SAVE_ALWAYS = "training.save_minutes=0.0000001"
"""A checkpoint after every step."""
TIMES = {
    "tokens_per_second", "elapsed", "seconds", "training_seconds", "memory_mb", "crc32", "log_bytes",
    "log_sha256",
}  # fmt: skip
"""What the clock decides in a log and in a checkpoint's progress."""


def train(out: Path, *settings: Setting) -> None:
    regard.train("demo", out=out, set_=[*TINY, *settings], quiet=True)


def last(run: Path) -> Checkpoint:
    """The last checkpoint; every one before it is whole, too."""
    found, problems = read_checkpoint(run)
    assert problems == []
    assert found is not None
    return found


def log(run: Path) -> list[dict[str, Any]]:
    """The log without its times."""
    lines = (run / "log.jsonl").read_text(encoding="utf-8").splitlines()
    return [{k: v for k, v in json.loads(line).items() if k not in TIMES} for line in lines]


def steps(run: Path) -> list[dict[str, Any]]:
    return [event for event in log(run) if event["event"] == "step"]


def same_tensors(one: Mapping[str, torch.Tensor], other: Mapping[str, torch.Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def assert_same(one: Path, other: Path) -> None:
    """Weights, optimizer, progress, best model and log, to the bit."""
    a, b = last(one), last(other)
    assert same_tensors(a.model.weights, b.model.weights)
    assert same_tensors(a.optimizer, b.optimizer)
    timeless = [{k: v for k, v in c.progress.items() if k not in TIMES} for c in (a, b)]
    assert timeless[0] == timeless[1]
    assert same_tensors(*(regard.load(run).module.state_dict() for run in (one, other)))
    # How often a run saves is no part of what it gives, so the recipe in the first line may say it otherwise.
    logs = [log(run) for run in (one, other)]
    for events in logs:
        del events[0]["recipe"]["training"]["save_minutes"]
    assert logs[0] == logs[1]


def stop_in(monkeypatch: pytest.MonkeyPatch, steps: set[int], number: int = signal.SIGTERM) -> None:
    """A real signal to this process in the middle of each of these steps."""
    real = forward_backward

    def with_signal(task: Any, config: Any, batches: Any, step: int) -> Any:
        if step in steps:
            steps.remove(step)
            os.kill(os.getpid(), number)
        return real(task, config, batches, step)

    monkeypatch.setattr(loop, "forward_backward", with_signal)


def resumes_to_the_same_bits(
    train: Callable[[Path], object],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    stops: set[int],
    *,
    meanwhile: Callable[[], object] = lambda: None,
) -> None:
    """A run that is stopped in each of these steps, and resumed, gives what one without a stop has given.

    meanwhile: what happens between the last stop and the end
    """
    if not (folder / "whole").exists():
        train(folder / "whole")
    stop_in(monkeypatch, set(stops))
    for _ in stops:
        with pytest.raises(StoppedError):
            train(folder / "r")
    meanwhile()
    train(folder / "r")
    assert_same(folder / "whole", folder / "r")
