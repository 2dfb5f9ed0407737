"""The event files say what the log says, also after a stop; read back with TensorBoard's own reader."""

import json
import math
from collections import defaultdict
from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tests.training.tiny import TINY, stop_in

import regard
from regard.errors import MissingExtraError, StoppedError
from regard.training.log import TensorBoard

TRAIN = {"loss", "nll", "learning_rate", "gradient_norm", "tokens_per_second", "padding", "memory_mb"}
Scalars = dict[str, list[tuple[int, float]]]


def train(out: Path, *, tensorboard: bool = True) -> None:
    regard.train("demo", out=out, set_=TINY, quiet=True, loggers=["tensorboard"] if tensorboard else [])


def in_events(run: Path) -> Scalars:
    reader = EventAccumulator(str(run / "tensorboard"), size_guidance={"scalars": 0})
    reader.Reload()
    return {
        tag: [(point.step, point.value) for point in reader.Scalars(tag)] for tag in reader.Tags()["scalars"]
    }


def in_log(run: Path) -> Scalars:
    found: Scalars = defaultdict(list)
    for line in (run / "log.jsonl").read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["event"] == "step":
            for name in TRAIN:
                found[f"train/{name}"].append((event["step"], event[name]))
        if event["event"] == "validation":
            for name in ("loss", "perplexity", "bleu"):
                found[f"dev/{name}"].append((event["step"], event[name]))
    return found


def assert_the_same(run: Path) -> None:
    events, log = in_events(run), in_log(run)
    assert events.keys() == log.keys()
    for tag, points in log.items():
        assert [step for step, _ in events[tag]] == [step for step, _ in points], tag
        for (_, seen), (_, wanted) in zip(events[tag], points, strict=True):
            assert math.isclose(seen, wanted, rel_tol=1e-6), tag  # events hold 32 bits


def test_a_run_in_one_go(tmp_path: Path) -> None:
    train(tmp_path / "r")
    assert_the_same(tmp_path / "r")
    assert len(in_events(tmp_path / "r")["dev/bleu"]) == 4


@pytest.mark.parametrize("before", [True, False], ids=["with", "without"])
def test_a_run_that_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bool) -> None:
    """Where the first part had no event files, they tell of it all the same."""
    stop_in(monkeypatch, {7})
    with pytest.raises(StoppedError):
        train(tmp_path / "r", tensorboard=before)
    assert (tmp_path / "r" / "tensorboard").exists() == before
    train(tmp_path / "r")
    assert_the_same(tmp_path / "r")


def test_steps_beyond_the_checkpoint_are_taken_back(tmp_path: Path) -> None:
    """A run is killed after step 4, and goes on after step 2: before the validation of that step."""
    lines = [{"event": "step", "step": step, "loss": float(step)} for step in (1, 2)]
    killed = [
        {"event": "validation", "step": 2, "epoch": 0.5, "best": True, "bleu": 20.0},
        {"event": "step", "step": 3, "loss": 33.0},
        {"event": "step", "step": 4, "loss": 44.0},
    ]
    path = tmp_path / "log.jsonl"
    path.write_text("")
    first = TensorBoard(tmp_path, kept_step=0)
    for line in lines + killed:
        first.log(line)
    first.close()
    assert in_events(tmp_path)["train/loss"] == [(1, 1.0), (2, 2.0), (3, 33.0), (4, 44.0)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    second = TensorBoard(tmp_path, kept_step=2)
    second.log({"event": "validation", "step": 2, "epoch": 0.5, "best": True, "bleu": 21.0})
    second.log({"event": "step", "step": 3, "loss": 3.0})
    second.close()
    found = in_events(tmp_path)
    assert found["train/loss"] == [(1, 1.0), (2, 2.0), (3, 3.0)]
    assert found["dev/bleu"] == [(2, 21.0)]


def test_a_number_that_is_none_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text("")
    logger = TensorBoard(tmp_path, kept_step=0)
    logger.log({"event": "step", "step": 1, "loss": None, "nll": 2.0})
    logger.close()
    assert in_events(tmp_path) == {"train/nll": [(1, 2.0)]}


def test_the_missing_part_is_named_before_any_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'regard\[tensorboard\]'"):
        train(tmp_path / "r")
    assert not (tmp_path / "r").exists()
