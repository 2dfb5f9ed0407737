"""A full disk ends a run in words, and the checkpoint before is as it was."""

import json
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from tests.commands import ROOT
from tests.examples import cells
from tests.torture.figures import Figures
from tests.training.full_disk import LONG
from tests.training.tiny import assert_same, train

from regard.errors import StoreError
from regard.store import checkpoint

pytestmark = pytest.mark.torture

PROGRAM = [sys.executable, "-m", "tests.training.full_disk"]
MOUNT = 'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"'


OWN_DISK = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", MOUNT]


def can_mount(folder: Path) -> bool:
    """Whether this user may have a small disk of their own."""
    try:
        done = subprocess.run([*OWN_DISK, str(folder), "true"], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


@cells(
    ("how", "part"),
    product(["limit", "tmpfs"], ["checkpoint", "log"]),
    quick=[("limit", "checkpoint"), ("tmpfs", "log")],
)
def test_a_full_disk(tmp_path: Path, how: str, part: str, figures: Figures) -> None:
    command = [*PROGRAM, str(tmp_path / "r"), how, part]
    if how == "tmpfs":
        if not can_mount(tmp_path):
            pytest.skip("no rights to mount a small disk")
        command = [*OWN_DISK, str(tmp_path), *command]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    why = {"limit": "File too large", "tmpfs": "No space left on device"}[how]
    told = re.fullmatch(
        rf"(.*): cannot be written: {why}; ([\d,]+) bytes are needed, ([\d,]+) are free", seen["message"]
    )
    assert told is not None, seen["message"]
    path, needed, free = told[1], *(int(count.replace(",", "")) for count in told.groups()[1:])
    if part == "log":
        assert Path(path) == tmp_path / "r" / "log.jsonl"
        *lines, end = seen["log"].split("\n")
        assert (end, [json.loads(line)["event"] for line in lines][-1]) == ("", "step"), "whole lines alone"
        assert 100 < needed < 1000, "a line of the log"
    else:
        assert Path(path).parent == tmp_path / "r" / "checkpoints"
        assert needed > (2000 if how == "limit" else free)
    assert seen["before"] == seen["after"], "the checkpoint before is the same, and nothing is left behind"
    assert any(name.endswith("model.safetensors") for name in seen["before"])
    if part == "log" and how == "limit":  # now there is room
        train(tmp_path / "r", *LONG)
        train(tmp_path / "whole", *LONG)
        assert_same(tmp_path / "whole", tmp_path / "r")
    figures.add("R6", disks=1)


def test_a_disk_that_is_too_small_is_refused_before_the_first_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "free_bytes", lambda _: 1000)
    with pytest.raises(StoreError, match=r"1,000 bytes are free, [\d,]+ are needed for 4 checkpoints"):
        train(tmp_path / "r")
    assert not (tmp_path / "r").exists()
