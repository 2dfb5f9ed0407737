import fcntl
import subprocess
import sys
import time
from pathlib import Path

import pytest

from regard.errors import StoreError
from regard.store.lock import is_held, locked

HOLD = """
import sys, time
from pathlib import Path
from regard.store.lock import is_held, locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_the_second_is_refused_at_once_and_told_who(tmp_path: Path) -> None:
    run = tmp_path / "r"
    with subprocess.Popen([sys.executable, "-c", HOLD, run], stdout=subprocess.PIPE, text=True) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == "held\n"
            begun = time.monotonic()
            with (
                pytest.raises(StoreError, match=rf"another run is using it \(.*, process {other.pid}\)"),
                locked(run),
            ):
                pass
            assert time.monotonic() - begun < 1
        finally:
            other.kill()  # as kill -9 does: nothing is cleaned up
    with locked(run):
        pass


def test_a_folder_that_nothing_came_of_is_gone(tmp_path: Path) -> None:
    with locked(tmp_path / "a" / "r"):
        pass
    assert not (tmp_path / "a" / "r").exists()
    with locked(tmp_path / "r"):
        (tmp_path / "r" / "x").write_text("")
    assert (tmp_path / "r" / "x").exists()


def test_who_looks_sees_whether_it_is_held(tmp_path: Path) -> None:
    assert not is_held(tmp_path)
    with locked(tmp_path):
        assert is_held(tmp_path)
    assert not is_held(tmp_path)
    assert not is_held(tmp_path / "nowhere")


def test_who_looks_is_in_nobodys_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An onlooker has the lock for an instant: a trainer that comes just then waits, and is not refused."""
    with (tmp_path / ".lock").open("w") as onlooker:
        fcntl.flock(onlooker, fcntl.LOCK_SH)
        monkeypatch.setattr("regard.store.lock.time.sleep", lambda _: fcntl.flock(onlooker, fcntl.LOCK_UN))
        with locked(tmp_path):
            assert is_held(tmp_path)
