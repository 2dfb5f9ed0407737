"""Chunks examined in order: a small corpus here, the rest of a large one by a process for each core.

Chunk n goes to process n modulo their number, each has one chunk at a time, and the results are taken in the
same order. So there is nothing to wait for but the next result, and a process that dies is noticed at once.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from regard.doctor.examine import Chunk, Record, Task, examine_chunk
from regard.errors import DataError

_ALONE = 12
"""Chunks that are examined before other processes are started: they need half a second to begin."""
_MOST = 8


class Workers:
    """Processes that are started when there is enough to do, and ended with the block."""

    def __init__(self, processes: int | None = None, *, alone: int = _ALONE) -> None:
        self._count = processes or min(_MOST, _cores())
        self._alone = alone if self._count > 1 else sys.maxsize
        self._processes: list[SpawnProcess] = []
        self._pipes: list[Connection] = []

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in self._pipes:
            pipe.close()  # which ends the process at the other end
        for process in self._processes:
            process.join()

    def examine(self, chunks: Iterator[list[Record]], task: Task) -> Iterator[Chunk]:
        """The chunks examined, in their order."""
        turn = taken = 0
        try:
            for records in chunks:
                if self._alone:
                    self._alone -= 1
                    yield examine_chunk(records, task)
                    continue
                self._start()
                if turn - taken == self._count:
                    yield self._pipe(taken).recv()
                    taken += 1
                self._pipe(turn).send((records, task))
                turn += 1
            for waiting in range(taken, turn):
                yield self._pipe(waiting).recv()
        except (EOFError, ConnectionError):
            raise DataError("a process that examined rows was ended from outside; is memory short?") from None

    def _pipe(self, turn: int) -> Connection:
        return self._pipes[turn % self._count]

    def _start(self) -> None:
        if self._pipes:
            return
        fresh = multiprocessing.get_context("spawn")
        with _without_interrupts():
            for _ in range(self._count):
                here, there = fresh.Pipe()
                process = fresh.Process(target=_work, args=(there,), daemon=True)
                process.start()
                there.close()
                self._processes.append(process)
                self._pipes.append(here)


def _work(pipe: Connection) -> None:
    """Examine what comes until the other end is closed."""
    while True:
        try:
            records, task = pipe.recv()
            pipe.send(examine_chunk(records, task))
        except (EOFError, ConnectionError):
            return


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Processes started here do not hear Ctrl-C, which reaches all of them: the first one ends the others.

    One that comes meanwhile is heard afterwards: in the middle of a start it would leave a process behind.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    came: list[int] = []  # blocked in this thread alone, a signal still finds the way through another one
    handler = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # what the new processes inherit
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler)
    if came:
        signal.raise_signal(signal.SIGINT)


def _cores() -> int:
    """The processors that this process may use, where the system says it."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
