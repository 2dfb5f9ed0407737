"""Runs: their folders, and the history of each, from one pass over its log."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from regard.errors import StoreError
from regard.store.lock import is_held
from regard.store.pointer import CHECKPOINTS
from regard.training.log import BOOKKEEPING, LOG, Event, read_events

Point = tuple[float, float]


class Bins:
    """The means of neighbouring points: each bin is of equally many, and a full list of bins is halved.

    A short series is kept as it is. A long one has between `most / 2` and `most` points, each an exact mean.
    """

    def __init__(self, most: int = 1024) -> None:
        self.size = 1
        """Points in a bin."""
        self._most = most
        self._bins: list[Point] = []
        self._count = 0
        self._x = self._y = 0.0

    def add(self, x: float, y: float) -> None:
        """Take in a point; they come in the order of x."""
        self._count += 1
        self._x += x
        self._y += y
        if self._count == self.size:
            self._bins.append((self._x / self.size, self._y / self.size))
            self._count, self._x, self._y = 0, 0.0, 0.0
            if len(self._bins) == self._most:
                pairs = zip(self._bins[::2], self._bins[1::2], strict=True)
                self._bins = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairs]
                self.size *= 2

    def points(self) -> list[Point]:
        """The bins; the last may have fewer points than the others."""
        rest = [(self._x / self._count, self._y / self._count)] if self._count else []
        return self._bins + rest


def smooth(points: Sequence[Point], window: int) -> list[Point]:
    """The mean of y over `window` points around each; at the ends, of those that are there."""
    half = window // 2
    sums = [0.0]
    for _, y in points:
        sums.append(sums[-1] + y)
    ends = [(max(0, place - half), min(len(points), place + half + 1)) for place in range(len(points))]
    return [
        (x, (sums[last] - sums[first]) / (last - first))
        for (x, _), (first, last) in zip(points, ends, strict=True)
    ]


State = Literal["finished", "stopped early", "running", "unfinished"]
Axis = Literal["step", "epoch", "seconds"]
_COLUMN: dict[Axis, str] = {"step": "step", "epoch": "epoch", "seconds": "elapsed"}
_LARGEST = 1e300


@dataclass
class History:
    """A run, as in its log."""

    name: str
    path: Path
    axis: Axis
    recipe: dict[str, Any] = field(default_factory=dict)
    last: Event = field(default_factory=dict)
    """The last step."""
    validations: list[Event] = field(default_factory=list)
    left_out: int = 0
    """Steps whose loss was no number."""
    average: Event | None = None
    """What the average of some checkpoints reached at the end."""
    end: Event | None = None
    is_running: bool = False
    bins: dict[str, Bins] = field(default_factory=dict)
    """Metrics of the steps, over the axis."""

    @property
    def state(self) -> State:
        """How the run stands."""
        if self.end is not None:
            return "stopped early" if self.end.get("stopped_early") else "finished"
        return "running" if self.is_running else "unfinished"

    @property
    def best(self) -> Event | None:
        """The validation whose model is kept."""
        if self.average is not None and self.average.get("best"):
            return self.average
        return next((event for event in reversed(self.validations) if event.get("best")), None)

    @property
    def seconds(self) -> float | None:
        """How long the run took, or has taken so far."""
        if self.end is not None:
            return number(self.end.get("seconds"))
        times = [number(event.get("elapsed")) for event in (self.last, *self.validations[-1:])]
        return max((time for time in times if time is not None), default=None)

    def asked(self, setting: str) -> Any:
        """The training section of the recipe; None if it has none."""
        training = self.recipe.get("training")
        return training.get(setting) if isinstance(training, dict) else None

    def measures(self) -> list[str]:
        """Names of the metrics of steps."""
        return [name for name, value in self.last.items() if _is_measure(name, value)]

    def scores(self) -> list[str]:
        """Names of the metrics of validations."""
        latest = self.validations[-1] if self.validations else {}
        return [name for name, value in latest.items() if _is_measure(name, value)]

    def dev(self, score: str, events: list[Event] | None = None) -> list[Point]:
        """A score over the axis, of all validations or of some."""
        column = _COLUMN[self.axis]
        chosen = self.validations if events is None else events
        pairs = ((number(event.get(column)), number(event.get(score))) for event in chosen)
        return [(x, y) for x, y in pairs if x is not None and y is not None]

    def to_dict(self) -> dict[str, Any]:
        """Facts and validations, for JSON."""
        return {
            "name": self.name,
            "path": str(self.path),
            "state": self.state,
            "step": self.last.get("step", 0),
            "epoch": self.last.get("epoch", 0.0),
            "seconds": self.seconds,
            "left_out": self.left_out,
            "last": _facts(self.last),
            "best": _facts(self.best) if self.best else None,
            "validations": [_facts(event) for event in self.validations],
            "recipe": self.recipe,
        }


def read_history(name: str, path: Path, *, axis: Axis = "step", measures: Iterable[str] = ()) -> History:
    """Read a log of any length; of its steps, keep the curves of some metrics."""
    history = History(name, path, axis, bins={measure: Bins() for measure in measures})
    # Asked before the log is read: a run that ends in between is then seen as finished.
    history.is_running = is_held(path)
    column, bins = _COLUMN[axis], list(history.bins.items())
    for event in read_events(path):
        kind = event["event"]
        if kind == "step":
            history.last = event
            x = number(event.get(column))
            if x is not None:
                for measure, curve in bins:
                    y = number(event.get(measure))
                    if y is not None:
                        curve.add(x, y)
        elif kind == "validation":
            history.validations.append(event)
        elif kind == "start" and isinstance(event.get("recipe"), dict):
            history.recipe = event["recipe"]
        elif kind == "left_out":
            history.left_out += 1
        elif kind == "average":
            steps = event.get("steps") or [0]
            history.average = {**event, "step": max(steps), "epoch": history.last.get("epoch")}
        elif kind == "end":
            history.end = event
    return history


def number(fact: Any) -> float | None:
    """A finite number of moderate size, as a float; None for all else."""
    kind = type(fact)  # a bool is no number, and this is asked for every step
    return float(fact) if (kind is float or kind is int) and -_LARGEST < fact < _LARGEST else None


def _facts(event: Event) -> Event:
    return {name: fact for name, fact in event.items() if name != "event"}


def _is_measure(name: str, value: object) -> bool:
    return name not in BOOKKEEPING and (value is None or number(value) is not None)


DEPTH = 4
"""How many levels below a folder runs are looked for."""


def find_runs(folders: Sequence[Path]) -> dict[str, Path]:
    """Runs by name, which is the path below the folder that all of them share. Each is named once."""
    found = {run.resolve(): run for folder in folders for run in _runs_of(folder)}
    shared = Path(os.path.commonpath([place.parent for place in found]))
    return {str(place.relative_to(shared)): run for place, run in found.items()}


def _runs_of(folder: Path) -> list[Path]:
    if not folder.is_dir():
        what = "found a file" if folder.exists() else "there is no such folder"
        raise StoreError(f"{folder}: expected a run folder, or a folder of them; {what}")
    found = list(_below(folder, DEPTH))
    if not found:
        raise StoreError(f"{folder}: holds no runs: there is no {LOG} in it, nor up to {DEPTH} levels below")
    return found


def _below(folder: Path, depth: int) -> Iterator[Path]:
    """Runs in a folder by name; a run holds no other runs."""
    if (folder / LOG).is_file():
        yield folder
    elif depth:
        for name in sorted(entry.name for entry in os.scandir(folder) if entry.is_dir()):
            if name != CHECKPOINTS and not name.startswith("."):
                yield from _below(folder / name, depth - 1)
