"""What a person sees while a model trains: a bar in a terminal, plain lines elsewhere. All on stderr."""

import sys
import time
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from regard.progress import LINE_SECONDS, say


class TrainingProgress(Protocol):
    """Where the loop reports to."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

    def step(self, step: int, *, share: float, epoch: float, loss: float, rate: float) -> None:
        """An optimizer step is done; `share` of the run is over, `rate` is target tokens/s."""
        ...

    def note(self, message: str) -> None:
        """Something that stays on the screen."""
        ...


def training_progress(*, quiet: bool = False) -> TrainingProgress:
    """A bar if stderr is a terminal, else a line now and then; nothing if quiet."""
    if quiet:
        return _Silent()
    return _Bar() if sys.stderr.isatty() else _Lines()


class _Silent:
    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def step(self, step: int, *, share: float, epoch: float, loss: float, rate: float) -> None:
        """Say nothing."""

    def note(self, message: str) -> None:
        """Say nothing."""


class _Bar(_Silent):
    def __init__(self) -> None:
        columns = (
            TextColumn("[bold]training"),
            BarColumn(bar_width=None),
            TaskProgressColumn(),
            TextColumn(
                "step {task.fields[step]}  epoch {task.fields[epoch]:.1f}  loss {task.fields[loss]:.3f}"
            ),
            TextColumn("{task.fields[rate]:,.0f} tokens/s"),
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, console=Console(stderr=True), expand=True)
        self._task = self._progress.add_task("training", total=1.0, step=0, epoch=0.0, loss=0.0, rate=0.0)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def step(self, step: int, *, share: float, epoch: float, loss: float, rate: float) -> None:
        self._progress.update(self._task, completed=share, step=step, epoch=epoch, loss=loss, rate=rate)

    def note(self, message: str) -> None:
        self._progress.console.print(message, highlight=False, markup=False)


class _Lines(_Silent):
    def __init__(self) -> None:
        self._begun = self._last = time.monotonic()
        self._first: float | None = None

    def step(self, step: int, *, share: float, epoch: float, loss: float, rate: float) -> None:
        now = time.monotonic()
        if self._first is None:  # a run that resumes has not done in this time what was there before
            self._first, self._begun = share, now
        if now - self._last < LINE_SECONDS and share < 1.0:
            return
        self._last = now
        left = (now - self._begun) / max(1e-9, share - self._first) * (1.0 - share)
        self.note(
            f"step {step}  {min(1.0, share):.0%}  epoch {epoch:.1f}  loss {loss:.3f}  {rate:,.0f} tokens/s  "
            f"{max(0.0, left) / 60:.1f} min left"
        )

    def note(self, message: str) -> None:
        say(message)


class Meter:
    """Target tokens/s, validation not counted."""

    def __init__(self) -> None:
        self._tokens = 0
        self._seconds = 0.0
        self._since = time.monotonic()

    def add(self, tokens: int) -> None:
        """So many are done."""
        self._tokens += tokens

    def pause(self) -> None:
        """Count no time."""
        self._seconds += time.monotonic() - self._since

    def resume(self) -> None:
        """Count again."""
        self._since = time.monotonic()

    @property
    def rate(self) -> float:
        """Of the time that was counted."""
        return self._tokens / max(1e-9, self._seconds + time.monotonic() - self._since)
