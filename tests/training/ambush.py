"""Signals that come at a chosen place of a run, from within."""

import os
import sys
import time
from typing import Any

from regard.api import training
from regard.tasks.translation.trainer import TranslationTrainer
from regard.training import loop

PHASES: dict[str, tuple[Any, str]] = {
    "train": (loop, "forward_backward"),
    "valid": (TranslationTrainer, "validate"),
    "save": (TranslationTrainer, "save"),
    "load": (training, "read_checkpoint"),
}
FOREVER = 10.0
"""Seconds of a phase that only a second signal can end."""


def lie_in_wait(phase: str, call: int, number: int, second: bool) -> None:
    """Send a signal to this process within the given call of a phase: train, valid, save or load.

    second: send another one, while what the first one waits for takes very long; the moment is told on stderr
    """
    owner, name = PHASES[phase]
    calls: list[int] = []
    real = getattr(owner, name)

    def ambushed(*arguments: Any, **names: Any) -> Any:
        calls.append(1)
        if len(calls) != call:
            return real(*arguments, **names)
        if second and phase == "valid":  # the first one leads to a save, in which the second comes
            _once_more_in_the_save(number)
        os.kill(os.getpid(), number)
        if second:
            _once_more(number)
        return real(*arguments, **names)

    setattr(owner, name, ambushed)


def _once_more_in_the_save(number: int) -> None:
    def save(*_: Any, **__: Any) -> None:
        _once_more(number)

    TranslationTrainer.save = save  # type: ignore[method-assign]


def _once_more(number: int) -> None:
    print(time.monotonic(), file=sys.stderr, flush=True)
    os.kill(os.getpid(), number)
    time.sleep(FOREVER)
