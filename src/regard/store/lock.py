"""One trainer a run folder. This module does not know torch."""

import fcntl
import os
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from regard.errors import StoreError

LOCK = ".lock"
_ATTEMPTS = 5
_PAUSE = 0.02


@contextmanager
def locked(run: Path) -> Iterator[None]:
    """Hold the folder; a second trainer is refused and told who has it.

    The lock is the kernel's and ends with its process, however that ends: none is ever left behind.
    """
    is_new = not run.exists()
    try:
        run.mkdir(parents=True, exist_ok=True)
        handle = os.open(run / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise StoreError(f"{run}: cannot be written: {error.strerror}") from None
    if not _taken(handle):
        try:
            raise _in_use(run, handle)
        finally:
            os.close(handle)
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{socket.gethostname()}, process {os.getpid()}\n".encode(), 0)
        yield
    finally:
        if is_new and [path.name for path in run.iterdir()] == [LOCK]:  # nothing came of it
            shutil.rmtree(run)
        os.close(handle)


def check_unlocked(run: Path) -> None:
    """Refuse a folder in which somebody trains now; whoever wants it has nothing to wait for."""
    if not is_held(run):
        return
    with (run / LOCK).open("rb") as file:
        raise _in_use(run, file.fileno())


def _in_use(run: Path, handle: int) -> StoreError:
    holder = os.pread(handle, 200, 0).decode(errors="replace").strip()
    return StoreError(f"{run}: another run is using it ({holder}); wait for it, or stop it")


def is_held(run: Path) -> bool:
    """True if somebody trains in this folder now."""
    try:
        handle = os.open(run / LOCK, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def _taken(handle: int) -> bool:
    """Take the lock if no other trainer has it; an onlooker (`is_held`) lets go of it at once."""
    for attempt in range(_ATTEMPTS):
        if attempt:
            time.sleep(_PAUSE)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        return True
    return False
