"""Signals end a run after its step, with everything kept; a second one ends it at once."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGHUP)


class Interrupted(BaseException):
    """A signal came while nothing was changed, so that the work can be dropped where it stands."""


class StopSignal:
    """Whether a signal has asked the run to stop."""

    def __init__(self) -> None:
        self.signal: int | None = None
        self._droppable = False

    @property
    def name(self) -> str:
        """Of the signal."""
        return signal.Signals(self.signal or 0).name

    @property
    def exit_code(self) -> int:
        """What shells expect of a process that this signal ended."""
        return 128 + (self.signal or 0)

    @contextmanager
    def droppable(self) -> Iterator[None]:
        """Within, a signal does not wait for the end of the work: `Interrupted` is raised."""
        if self.signal is not None:
            raise Interrupted
        self._droppable = True
        try:
            yield
        finally:
            self._droppable = False

    def __call__(self, number: int, _: FrameType | None) -> None:
        """Take note of a signal."""
        if self.signal is not None:
            os._exit(128 + number)  # files appear whole or not at all, so this loses nothing that was kept
        self.signal = number
        if self._droppable:
            raise Interrupted


@contextmanager
def listening() -> Iterator[StopSignal]:
    """Hear the stopping signals; afterwards they mean what they meant before."""
    stop = StopSignal()
    if threading.current_thread() is not threading.main_thread():
        yield stop  # only the main thread can hear signals
        return
    # `nohup` has made SIGHUP mean nothing, and that stays.
    heard = [n for n in STOPPING if n != signal.SIGHUP or signal.getsignal(n) is not signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in heard}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
