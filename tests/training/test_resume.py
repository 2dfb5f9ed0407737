"""What a run says, or refuses, when it goes on; that it gives the same bits is a contract."""

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from tests.training.tiny import TINY, assert_same, log, resumes_to_the_same_bits, steps, stop_in, train

import regard
from regard.errors import StoppedError, StoreError
from regard.store.checkpoint import Checkpoint, rewrite_pointers
from regard.training.state import TrainerState
from regard.training.trainer import Trainer


def test_another_recipe_or_other_data_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "x.tsv"
    run_lines = "".join(f"나는 책 {n}\tbook {n}\n" for n in range(60))
    table.write_text("ko\ten\n" + run_lines, encoding="utf-8")
    stop_in(monkeypatch, {3})
    with pytest.raises(StoppedError):
        train(tmp_path / "r", f"data.train={table}")
    with pytest.raises(StoreError, match=r"another recipe \(training.epochs is 2 there, 3 here\)"):
        train(tmp_path / "r", f"data.train={table}", "training.epochs=3")
    table.write_text("ko\ten\n" + run_lines.replace("book 7\n", "book seven\n"), encoding="utf-8")
    with pytest.raises(StoreError, match="the data has changed since this run began"):
        train(tmp_path / "r", f"data.train={table}")


def test_a_recipe_that_was_changed_in_the_run_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_in(monkeypatch, {3})
    with pytest.raises(StoppedError):
        train(tmp_path / "r")
    path = tmp_path / "r" / "recipe.yaml"
    own = path.read_text(encoding="utf-8")
    described = own.replace("The demo:", "A demo:", 1)
    assert described != own
    path.write_text(described.replace("clip_norm: 1.0", "clip_norm: 7.0"), encoding="utf-8")
    told = (
        r"recipe.yaml: was changed after the run began \(training.clip_norm is 7.0 in it, 1.0 in the "
        r"checkpoint\); change it back to resume"
    )
    with pytest.raises(StoreError, match=told):
        regard.train(out=tmp_path / "r", quiet=True)
    with pytest.raises(StoreError, match=told):
        train(tmp_path / "r")  # which gives the recipe that the run began with
    path.write_text(described, encoding="utf-8")  # which changes nothing that is learned
    regard.train(out=tmp_path / "r", quiet=True)
    assert log(tmp_path / "r")[-1]["event"] == "end"


def test_a_damaged_log_is_refused_and_can_be_moved_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    train(tmp_path / "whole")
    stop_in(monkeypatch, {9})
    run = tmp_path / "r"
    with pytest.raises(StoppedError):
        train(run)
    content = (run / "log.jsonl").read_bytes()
    (run / "log.jsonl").write_bytes(content[:-100])
    with pytest.raises(StoreError, match=r"log.jsonl: damaged: it has .* or move it away to resume"):
        train(run)
    assert (run / "log.jsonl").read_bytes() == content[:-100]
    (run / "log.jsonl").rename(tmp_path / "aside")
    regard.train("demo", out=run, set_=TINY)
    assert "log.jsonl: is missing; the run resumes with a new one" in capsys.readouterr().err
    assert [event["step"] for event in steps(run)] == list(range(10, len(steps(tmp_path / "whole")) + 1))
    assert log(run)[0]["recipe"]["task"] == "translation"
    same = [regard.load(folder).module.state_dict() for folder in (run, tmp_path / "whole")]
    assert all(torch.equal(same[0][name], same[1][name]) for name in same[0])


@pytest.mark.parametrize("how", ["damaged", "missing"])
def test_a_run_file_is_made_anew_from_the_checkpoints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    settings = ["training.keep={best: 2, last: 2}"]
    train(tmp_path / "whole", *settings)
    stop_in(monkeypatch, {len(steps(tmp_path / "whole")) - 2})
    run = tmp_path / "r"
    with pytest.raises(StoppedError):
        train(run, *settings)
    path = run / "run.json"
    whole = path.read_text()
    if how == "missing":
        path.unlink()
    else:
        path.write_text(whole.replace("step-", "stop-", 1))
        with pytest.raises(StoreError, match=r"run.json: damaged"):
            regard.load(run)
    rewrite_pointers(run)
    assert path.read_text() == whole
    if how == "damaged":
        path.write_text(whole.replace('"score": -', '"score": ', 1))
    else:
        path.unlink()
    regard.train("demo", out=run, set_=[*TINY, *settings])
    assert f"run.json: is {how}; it was made anew from the checkpoints" in capsys.readouterr().err
    assert_same(tmp_path / "whole", run)
    whole = path.read_text()  # of a run that is finished
    path.unlink()
    with pytest.raises(StoreError, match=r"run.json is missing; `regard train .*` makes it anew"):
        regard.load(run)
    with pytest.raises(StoreError, match="the run in it is finished"):
        train(run, *settings)
    assert path.read_text() == whole


def test_other_code_that_gives_the_same_ids_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after an upgrade: the cache has nothing under the new key, and what is made anew is the same."""
    train(tmp_path / "whole")
    with monkeypatch.context() as patch:
        stop_in(patch, {3})
        with pytest.raises(StoppedError):
            train(tmp_path / "r")
    for module in ("regard.data.cache", "regard.data.corpus"):
        monkeypatch.setattr(f"{module}.code_fingerprint", lambda package: f"new {package}")
    train(tmp_path / "r")
    assert_same(tmp_path / "whole", tmp_path / "r")


@pytest.mark.parametrize("same", [True, False])
def test_a_checkpoint_without_a_key_of_its_ids_is_compared_by_its_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, same: bool
) -> None:
    with monkeypatch.context() as patch:
        stop_in(patch, {3})
        with pytest.raises(StoppedError):
            train(tmp_path / "r")
    load_state = Trainer.load_state

    def older(task: Trainer, checkpoint: Checkpoint) -> TrainerState:
        progress = {name: fact for name, fact in checkpoint.progress.items() if name != "ids"}
        progress["corpus"] = task.corpus_key if same else "another"
        return load_state(task, replace(checkpoint, progress=progress))

    monkeypatch.setattr(Trainer, "load_state", older)
    with nullcontext() if same else pytest.raises(StoreError, match="the data has changed"):
        train(tmp_path / "r")


def test_a_change_of_versions_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stop_in(monkeypatch, {2})
    with pytest.raises(StoppedError):
        train(tmp_path / "r")
    monkeypatch.setattr("regard.api.training.versions", lambda: {"torch": "9.9"})
    regard.train("demo", out=tmp_path / "r", set_=TINY)
    told = capsys.readouterr().err
    assert "resuming after step 2" in told
    assert f"not the same bits as without the stop: torch {torch.__version__} → 9.9" in told


def test_the_best_so_far_and_the_patience_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a learning rate of nothing, no validation is better than the first, nor after the stop."""
    settings = ["training.optimizer.learning_rate=1e-30", "training.epochs=9", "training.patience=3"]
    train(tmp_path / "whole", *settings)
    assert log(tmp_path / "whole")[-1]["stopped_early"]
    stop = len(steps(tmp_path / "whole")) - 8
    resumes_to_the_same_bits(lambda out: train(out, *settings), tmp_path, monkeypatch, {stop})


def test_a_finished_run_is_not_trained_on(tmp_path: Path) -> None:
    train(tmp_path / "r")
    with pytest.raises(StoreError, match="the run in it is finished; choose another folder"):
        train(tmp_path / "r")
