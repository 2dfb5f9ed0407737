"""What the log says, for TensorBoard: scalars under `RUN/tensorboard/`."""

import importlib.util
from pathlib import Path

from regard.errors import MissingExtraError
from regard.training.log import BOOKKEEPING, Event, read_events

FOLDER = "tensorboard"
TRAIN = ("loss", "nll", "learning_rate", "gradient_norm", "tokens_per_second", "padding", "memory_mb")


def check_tensorboard() -> None:
    """Refuse, before any work, to write for a program that is not there."""
    if importlib.util.find_spec("tensorboard") is None:
        raise MissingExtraError("writing for TensorBoard", "tensorboard")


class TensorBoard:
    """A listener of the log."""

    def __init__(self, run: Path, *, kept_step: int) -> None:
        """Go on after `kept_step`; what was written of later steps is taken back.

        That step itself is told again from the log, for the log knows whether its validation counts. A run
        that had no event files before is told from its first step.
        """
        from torch.utils.tensorboard import SummaryWriter

        first = kept_step if (run / FOLDER).exists() else 0
        self._writer = SummaryWriter(run / FOLDER, purge_step=first)
        for event in read_events(run):
            if event.get("step", -1) >= first:
                self.hear(event)

    def hear(self, event: Event) -> None:
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
