"""One trainer a run folder, by real command lines."""

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.commands import Commands, train_command
from tests.conftest import Run
from tests.torture.figures import Figures
from tests.training.tiny import SAVE_ALWAYS, TINY, log

pytestmark = pytest.mark.torture


def test_the_second_is_refused_and_a_dead_one_is_not_waited_for(
    tmp_path: Path, run: Run, commands: Commands, figures: Figures
) -> None:
    out = tmp_path / "r"
    command = train_command(out, *TINY, SAVE_ALWAYS, "training.epochs=5")
    with subprocess.Popen([sys.executable, "-m", "regard", *map(str, command)]) as first:
        try:
            while not (out / "run.json").exists():
                assert first.poll() is None
                time.sleep(0.01)
            refused = commands.run(*command)
            assert first.poll() is None, "the first goes on"
        finally:
            first.kill()
    assert refused.status == 2
    holder = f"{socket.gethostname()}, process {first.pid}"
    assert refused.stderr == f"regard: {out}: another run is using it ({holder}); wait for it, or stop it\n"
    assert (out / ".lock").read_text() == f"{holder}\n", "the name of the dead one is still there"
    assert log(out)[-1]["event"] != "end"
    done = run(*command)
    assert done.returncode == 0, done.stderr
    assert log(out)[-1]["event"] == "end"
    figures.add("R14", refused=1, taken_over=1)
