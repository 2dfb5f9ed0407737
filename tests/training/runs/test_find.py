from pathlib import Path

import pytest

from regard.errors import StoreError
from regard.training.runs.history import DEPTH, find_runs


def make(*runs: Path) -> None:
    for run in runs:
        run.mkdir(parents=True)
        (run / "log.jsonl").touch()


def test_names_are_paths_below_what_is_shared(tmp_path: Path) -> None:
    make(tmp_path / "runs" / "가" / "b", tmp_path / "runs" / "a")
    found = find_runs([tmp_path])
    assert found == {"a": tmp_path / "runs" / "a", "가/b": tmp_path / "runs" / "가" / "b"}
    assert list(find_runs([tmp_path / "runs" / "가" / "b"])) == ["b"]


def test_a_run_is_found_once(tmp_path: Path) -> None:
    make(tmp_path / "a", tmp_path / "b")
    (tmp_path / "latest").symlink_to(tmp_path / "b")
    assert list(find_runs([tmp_path / "b", tmp_path, tmp_path / "a" / ".." / "b"])) == ["b", "a"]


def test_what_is_not_looked_into(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*"12345")
    make(
        tmp_path / "a", tmp_path / "a" / "inside", tmp_path / ".hidden", tmp_path / "checkpoints" / "x", deep
    )
    assert list(find_runs([tmp_path])) == ["a"]
    assert len(deep.relative_to(tmp_path).parts) == DEPTH + 1
    (tmp_path / "1" / "log.jsonl").mkdir()
    make(tmp_path / "1" / "2" / "3" / "run")
    assert list(find_runs([tmp_path])) == ["1/2/3/run", "a"]


def test_what_holds_no_runs(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"holds no runs: there is no log\.jsonl in it, nor up to 4 levels"):
        find_runs([tmp_path])
    with pytest.raises(StoreError, match=r"x: expected a run folder, or a folder of them; there is no such"):
        find_runs([tmp_path / "x"])
    (tmp_path / "x").touch()
    with pytest.raises(StoreError, match=r"x: expected a run folder, or a folder of them; found a file"):
        find_runs([tmp_path / "x"])
