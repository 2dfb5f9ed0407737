"""Commands that start at once: a process that has imported everything forks one for each request.

    python -m tests.commands

A line of JSON on stdin asks for a real `regard` command, a line on stdout tells how it ended. Importing torch
takes seconds, a fork milliseconds; so a run can be killed a thousand times, and a careless user can make a
hundred mistakes. It has one thread: a process that has started a pool of threads cannot be forked.
"""

import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

ROOT = Path(__file__).parents[1]
LONGEST = 300
"""Seconds after which a command that hangs is ended, by SIGALRM."""


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    status: int
    """Its exit code, or minus the signal that ended it."""
    seconds: float
    at: float
    """When, by the machine's clock."""
    stdout: str
    stderr: str


class Commands:
    """The process that forks, as its user sees it."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.commands"],
            cwd=ROOT,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._out.readline() == "ready\n"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._in.close()
        self._out.close()
        self._process.wait()

    def run(
        self,
        *arguments: str | Path,
        text: bytes = b"",
        stdin: Path | None = None,
        kill_after: float | None = None,
        in_save_of: Path | None = None,
        ambush: dict[str, Any] | None = None,
    ) -> Ended:
        """Run a `regard` command to its end, here and with the environment of now.

        text:       what it finds on stdin
        stdin:      the file that it finds there instead
        kill_after: seconds after which it gets SIGKILL
        in_save_of: the seconds count from when this run begins to write a checkpoint
        ambush:     see `tests/training/ambush.py`
        """
        with tempfile.NamedTemporaryFile() as given:
            given.write(text)
            given.flush()
            asked = {
                "arguments": [*map(str, arguments)],
                "folder": str(Path.cwd()),
                "environment": {**os.environ, "OMP_NUM_THREADS": "1"},
                "stdin": str(stdin or given.name),
                "kill_after": kill_after,
                "in_save_of": str(in_save_of) if in_save_of else None,
                "ambush": ambush,
            }
            print(json.dumps(asked), file=self._in, flush=True)
            return Ended(**json.loads(self._out.readline()))

    @property
    def _in(self) -> IO[str]:
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def _out(self) -> IO[str]:
        assert self._process.stdout is not None
        return self._process.stdout


def train_command(out: Path, *settings: str) -> list[str | Path]:
    """The arguments of `regard` that train the demo with these settings."""
    return ["train", "demo", "--out", out, "-q", *(part for one in settings for part in ("--set", one))]


def _child(asked: dict[str, Any], output: IO[bytes], errors: IO[bytes]) -> None:
    """What a fork does: be the command, and never return."""
    from tests.training.ambush import lie_in_wait

    from regard.cli.main import run

    code: int | str | None = 0
    signal.alarm(LONGEST)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup, where it means nothing
    try:
        os.dup2(os.open(asked["stdin"], os.O_RDONLY), 0)
        os.dup2(output.fileno(), 1)
        os.dup2(errors.fileno(), 2)
        # New ones: those of the parent may hold what it has read of its own stdin.
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        if asked["ambush"]:
            lie_in_wait(**asked["ambush"])
        sys.argv = ["regard", *asked["arguments"]]
        run()
    except SystemExit as end:
        code = end.code
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        code = 99
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else bool(code))


def _wait_for_a_save(run: Path, child: int) -> None:
    """Until there is a folder with a passing name that the child made, or the child has ended."""
    while not any((run / "checkpoints").glob(f".*.{child}.tmp")):
        if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            return
        time.sleep(0.0005)


def _serve() -> None:
    import torch._dynamo  # noqa: F401  # which torch's optimizers import at their first step

    from regard.cli.main import COMMANDS
    from regard.models.catalogue import BUILDERS
    from regard.tasks.catalogue import TASKS

    for home in ("api.evaluation", "api.loading", "api.training", "experiments.reproduce"):
        importlib.import_module(f"regard.{home}")
    for task in TASKS.values():  # what is imported when it is asked for, imported for all commands at once
        assert task.predictor and task.trainer  # noqa: PT018
    assert [*BUILDERS.values()]
    for home in COMMANDS.values():
        importlib.import_module(f"regard.cli.{home.partition('.')[0]}")
    print("ready", flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            begun = time.monotonic()
            child = os.fork()
            if child == 0:
                _child(asked, output, errors)
            if asked["in_save_of"]:
                _wait_for_a_save(Path(asked["in_save_of"]), child)
            if asked["kill_after"] is not None:
                time.sleep(asked["kill_after"])
                os.kill(child, signal.SIGKILL)  # not yet waited for, so the number is still this child's
            _, status = os.waitpid(child, 0)
            now = time.monotonic()
            told = []
            for file in (output, errors):
                file.seek(0)
                told.append(file.read().decode())
            ended = Ended(os.waitstatus_to_exitcode(status), now - begun, now, *told)
        print(json.dumps(asdict(ended)), flush=True)


if __name__ == "__main__":
    _serve()
