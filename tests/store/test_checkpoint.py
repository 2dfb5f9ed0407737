from pathlib import Path

import pytest
import torch

from regard.config.load import load_recipe
from regard.errors import StoreError
from regard.store import checkpoint as module
from regard.store.checkpoint import Checkpoint, check_space, read_checkpoint, write_checkpoint
from regard.store.folder import StoredModel, find_model, read_model


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


def test_a_step_can_be_written_again(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 3, checkpoint(3), best=False)
    write_checkpoint(tmp_path, 3, checkpoint(3), best=True)
    assert kept(tmp_path) == ["step-00000003", "step-00000003.1"]
    assert last_step(tmp_path) == 3


def test_saving_removes_nothing_but_checkpoints(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    write_checkpoint(tmp_path, 3, checkpoint(3), best=True)
    write_checkpoint(tmp_path, 4, checkpoint(4), best=True)
    assert (tmp_path / "notes.txt").read_text() == "mine"


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
    check_space(tmp_path, 200)
    with pytest.raises(StoreError, match=r"1,000 bytes are free, 1,050 are needed for four checkpoints"):
        check_space(tmp_path, 250)
