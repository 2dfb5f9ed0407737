"""Loggers: who else is told what the log of a run is told, by their names."""

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path

from regard.errors import ConfigError, MissingExtraError, did_you_mean
from regard.training.log import BOOKKEEPING, Event, Logger, read_events

FOLDER = "tensorboard"
TRAIN = ("loss", "nll", "learning_rate", "gradient_norm", "tokens_per_second", "padding", "memory_mb")


class TensorBoard:
    """Scalars for TensorBoard, under `RUN/tensorboard/`."""

    def __init__(self, run: Path, kept_step: int) -> None:
        """Resume after `kept_step`; what was written of later steps is taken back.

        That step itself is told again from the log, for the log knows whether its validation counts. A run
        that had no event files before is told from its first step.
        """
        from torch.utils.tensorboard import SummaryWriter

        first = kept_step if (run / FOLDER).exists() else 0
        self._writer = SummaryWriter(run / FOLDER, purge_step=first)
        for event in read_events(run):
            if event.get("step", -1) >= first:
                self.log(event)

    def log(self, event: Event) -> None:
        """Write the scalars of a step or of a validation; a number that is none is left out."""
        if event["event"] == "step":
            scalars = {f"train/{name}": event.get(name) for name in TRAIN}
        elif event["event"] == "validation":
            scalars = {f"dev/{name}": event[name] for name in event.keys() - BOOKKEEPING}
        else:
            return
        for name, value in scalars.items():
            if value is not None:
                self._writer.add_scalar(name, value, event["step"])

    def flush(self) -> None:
        """Write out what waits."""
        self._writer.flush()

    def close(self) -> None:
        """Write out what waits, and end."""
        self._writer.close()


LoggerFactory = Callable[[Path, int], Logger]
"""Makes a logger of a run folder, and of the step after which the run resumes; 0 for a new run."""
LOGGERS: dict[str, LoggerFactory] = {"tensorboard": TensorBoard}


def find_loggers(names: Sequence[str]) -> list[LoggerFactory]:
    """The loggers that are called so; refuse, before any work, one that is not there."""
    for name in names:
        if name not in LOGGERS:
            raise ConfigError(f"loggers: unknown value '{name}'; {did_you_mean(name, LOGGERS)}")
        if name == "tensorboard" and importlib.util.find_spec("tensorboard") is None:
            raise MissingExtraError("writing for TensorBoard", "tensorboard")
    return [LOGGERS[name] for name in names]
