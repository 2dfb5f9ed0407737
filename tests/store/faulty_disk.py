"""A disk that fails at one operation: run as a program by test_faults.py, and without torch.

    python faulty_disk.py

A line of JSON on stdin names a run, K and a fault: a fork writes step 5 of the run, where operation K fails.
A line on stdout tells how it ended, and how many operations there were if none failed. What fails is a
process of its own; that it is forked saves the imports.
"""

import builtins
import errno
import io
import json
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from regard.errors import StoreError
from regard.store.pointer import commit

FILES = {"a.bin": b"5" * 1000, "b.json": b"{}", "c.bin": b"5" * 10}


class Disk:
    """Counts operations on files and folders, and lets one of them fail."""

    def __init__(self, fails_at: int, fault: str) -> None:
        self.done = 0
        self._fails_at = fails_at
        self._fault = fault

    def operation(self) -> None:
        self.done += 1
        if self.done != self._fails_at:
            return
        if self._fault == "SIGKILL":
            os.kill(os.getpid(), signal.SIGKILL)
        number = getattr(errno, self._fault)
        raise OSError(number, os.strerror(number))

    def watch(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any, **names: Any) -> Any:
            self.operation()
            return real(*arguments, **names)

        return watched

    def watch_open(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any, **names: Any) -> Any:
            self.operation()
            return _File(real(*arguments, **names), self)

        return watched


class _File:
    """A file whose writing and flushing are operations too."""

    def __init__(self, file: Any, disk: Disk) -> None:
        self._file = file
        self._disk = disk

    def __enter__(self) -> "_File":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, content: bytes) -> int:
        self._disk.operation()
        half = self._file.write(content[: len(content) // 2])  # a fault can come in the middle
        self._disk.operation()
        return int(half + self._file.write(content[len(content) // 2 :]))

    def flush(self) -> None:
        self._disk.operation()
        self._file.flush()


def write(run: Path, fails_at: int, fault: str) -> int:
    """How many operations it took."""
    disk = Disk(fails_at, fault)
    for name in ("mkdir", "open", "fsync", "rename", "replace"):
        setattr(os, name, disk.watch(getattr(os, name)))
    io.open = builtins.open = disk.watch_open(io.open)
    commit(run, 5, FILES, best=True)
    return disk.done


def in_a_fork(run: str, fails_at: int, fault: str) -> dict[str, Any]:
    with tempfile.TemporaryFile("w+") as told:
        child = os.fork()
        if child == 0:
            try:
                told.write(f"{write(Path(run), fails_at, fault)}")
                code = 0
            except StoreError as error:
                told.write(str(error))
                code = 2
            told.flush()
            os._exit(code)
        _, status = os.waitpid(child, 0)
        told.seek(0)
        return {"code": os.waitstatus_to_exitcode(status), "told": told.read()}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(in_a_fork(*json.loads(line))), flush=True)
