import subprocess
import sys
import time
from pathlib import Path

import pytest

from regard.errors import StoreError
from regard.store.lock import locked

HOLD = """
import sys, time
from pathlib import Path
from regard.store.lock import locked
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
