import dataclasses
import json
import shutil
from pathlib import Path

import pytest
import torch

from regard.config.load import load_recipe
from regard.config.training import KeepConfig
from regard.errors import StoreError
from regard.store import checkpoint as module
from regard.store.atomic import read_folder, write_folder
from regard.store.average import average_models
from regard.store.checkpoint import Checkpoint, check_space, read_checkpoint, write_checkpoint
from regard.store.folder import StoredModel, read_model, write_model
from regard.store.pointer import Pointers, commit_best, read_pointers
from regard.store.resolve import find_model


def checkpoint(step: int) -> Checkpoint:
    weights = {"w": torch.full((2, 3), float(step))}
    model = StoredModel(load_recipe("demo"), weights, {"joint": "{}"}, {"step": step})
    return Checkpoint(model, {"exp_avg/w": weights["w"] * 2}, {"step": step})


def kept(run: Path) -> list[str]:
    return sorted(path.name for path in (run / "checkpoints").iterdir())


def last_step(run: Path) -> int:
    found, _ = read_checkpoint(run)
    assert found is not None
    assert torch.equal(found.optimizer["exp_avg/w"], found.model.weights["w"] * 2)
    return int(found.progress["step"])


def test_the_last_and_the_best_are_kept(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 3, checkpoint(3), best=True)
    write_checkpoint(tmp_path, 5, checkpoint(5), best=False)
    assert kept(tmp_path) == ["step-00000003", "step-00000005"]
    assert read_model(tmp_path).summary == {"step": 3}
    assert last_step(tmp_path) == 5
    write_checkpoint(tmp_path, 7, checkpoint(7), best=True)
    assert kept(tmp_path) == ["step-00000005", "step-00000007"]
    write_checkpoint(tmp_path, 8, checkpoint(8), best=False)
    write_checkpoint(tmp_path, 9, checkpoint(9), best=False)
    assert kept(tmp_path) == ["step-00000007", "step-00000008", "step-00000009"]
    assert find_model(tmp_path) == tmp_path / "checkpoints" / "step-00000007"


def steps(run: Path) -> list[int]:
    return [int(name.removeprefix("step-")) for name in kept(run)]


def test_the_best_and_the_last_measured_are_kept(tmp_path: Path) -> None:
    keep = KeepConfig(best=2, last=2)
    scores = {10: 5.0, 20: 9.0, 30: 7.0, 40: None, 50: 9.0, 60: 1.0, 70: 2.0, 80: None, 90: None}
    best = 0.0
    for step, score in scores.items():
        better = score is not None and score > best
        best = score if better and score else best
        write_checkpoint(tmp_path, step, checkpoint(step), best=better, score=score, keep=keep)
    # 20 and 50 did best; 60 and 70 were measured last; 80 and 90 are the last two of all.
    assert steps(tmp_path) == [20, 50, 60, 70, 80, 90]
    pointers = read_pointers(tmp_path)
    assert [entry.step for entry in pointers.top(3)] == [20, 50, 70]
    assert [entry.step for entry in pointers.latest(3)] == [50, 60, 70]
    assert find_model(tmp_path).name == "step-00000020"


def test_every_so_many_steps_one_is_kept(tmp_path: Path) -> None:
    for step in range(1, 12):
        write_checkpoint(tmp_path, step, checkpoint(step), best=step == 2, keep=KeepConfig(every=4))
    assert steps(tmp_path) == [2, 4, 8, 10, 11]


def test_what_is_done_again_replaces_what_was_there(tmp_path: Path) -> None:
    """After damage a run goes on from an earlier step: what was kept of later steps counts no more."""
    keep = KeepConfig(best=5, last=5)
    for step in (1, 2, 3):
        write_checkpoint(tmp_path, step, checkpoint(step), best=True, score=float(step), keep=keep)
    write_checkpoint(tmp_path, 2, checkpoint(2), best=False, score=0.5, keep=keep)
    assert [(entry.step, entry.score) for entry in read_pointers(tmp_path).checkpoints] == [
        (1, 1.0),
        (2, 0.5),
    ]


def test_a_step_that_is_written_again_keeps_its_score(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 3, checkpoint(3), best=True, score=7.0)
    write_checkpoint(tmp_path, 3, checkpoint(3), best=False)
    assert [(entry.step, entry.score) for entry in read_pointers(tmp_path).checkpoints] == [(3, 7.0)]


def test_one_average_is_kept(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 3, checkpoint(3), best=True, score=7.0)
    for _ in range(3):
        commit_best(tmp_path, "average-2", {"x": b"y"})
    assert len(kept(tmp_path)) == 2


def test_what_is_there_already_needs_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "free_bytes", lambda _: 1000)
    (tmp_path / "checkpoints" / "step-1").mkdir(parents=True)
    (tmp_path / "checkpoints" / "step-1" / "model.safetensors").write_bytes(b"x" * 100)
    check_space(tmp_path, 250, 4)


def test_a_newer_format_is_refused_in_one_line(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 3, checkpoint(3), best=True)
    folder = tmp_path / "checkpoints" / "step-00000003"
    files = read_folder(folder)
    files["training.json"] = files["training.json"].replace(b'"format": 1', b'"format": 2')
    shutil.rmtree(folder)
    write_folder(folder, files)
    assert read_checkpoint(tmp_path) == (
        None,
        [f"{folder}/training.json: has format 2, this regard reads up to 1; use a newer regard"],
    )


def test_pointers_of_the_format_before_are_read(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 3, checkpoint(3), best=True)
    folder = "checkpoints/step-00000003"
    (tmp_path / "run.json").write_text(json.dumps({"format": 2, "best": folder, "last": folder}))
    assert read_pointers(tmp_path) == Pointers(folder, folder)
    write_checkpoint(tmp_path, 4, checkpoint(4), best=False)
    assert steps(tmp_path) == [3, 4]


def test_the_mean_of_models(tmp_path: Path) -> None:
    for step in (1, 2, 6):
        write_model(tmp_path / f"{step}", checkpoint(step).model)
    mean = average_models([tmp_path / "1", tmp_path / "2", tmp_path / "6"])
    assert torch.equal(mean.weights["w"], torch.full((2, 3), 3.0))
    other = dataclasses.replace(checkpoint(2).model, weights={"w": torch.ones(3, 3)})
    write_model(tmp_path / "x", other)
    with pytest.raises(StoreError, match="its w has another shape"):
        average_models([tmp_path / "1", tmp_path / "x"])
    write_model(tmp_path / "y", dataclasses.replace(other, tokenizers={"joint": "[]"}))
    with pytest.raises(StoreError, match="y: has another vocabulary"):
        average_models([tmp_path / "1", tmp_path / "y"])


def test_a_step_can_be_written_again(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 3, checkpoint(3), best=False)
    write_checkpoint(tmp_path, 3, checkpoint(3), best=True)
    assert kept(tmp_path) == ["step-00000003", "step-00000003.1"]
    assert last_step(tmp_path) == 3


def test_saving_removes_nothing_but_checkpoints(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "checkpoints" / "my-backup").mkdir(parents=True)
    write_checkpoint(tmp_path, 3, checkpoint(3), best=True)
    write_checkpoint(tmp_path, 4, checkpoint(4), best=True)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert (tmp_path / "checkpoints" / "my-backup").is_dir()


@pytest.mark.parametrize("damage", ["flip", "cut", "gone", "manifest"])
def test_a_damaged_checkpoint_is_named_and_the_one_before_used(tmp_path: Path, damage: str) -> None:
    write_checkpoint(tmp_path, 3, checkpoint(3), best=True)
    write_checkpoint(tmp_path, 5, checkpoint(5), best=False)
    path = tmp_path / "checkpoints" / "step-00000005" / "optimizer.safetensors"
    content = path.read_bytes()
    if damage == "flip":
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    if damage == "cut":
        path.write_bytes(content[:-1])
    if damage == "gone":
        path.unlink()
    if damage == "manifest":
        (path.parent / "manifest.json").unlink()
    found, problems = read_checkpoint(tmp_path)
    assert found is not None
    assert found.progress == {"step": 3}
    assert len(problems) == 1
    assert "step-00000005" in problems[0]


def test_nothing_to_go_on_from(tmp_path: Path) -> None:
    assert read_checkpoint(tmp_path) == (None, [])


def test_a_full_disk_is_seen_before_the_first_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "free_bytes", lambda _: 1000)
    check_space(tmp_path, 200, 4)
    with pytest.raises(StoreError, match=r"1,000 bytes are free, 1,050 are needed for 4 checkpoints"):
        check_space(tmp_path, 250, 4)
