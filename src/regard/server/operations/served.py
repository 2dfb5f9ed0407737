"""What one served model can be asked for: the operations of its task, at any checkpoint of its run."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from regard import api
from regard.analysis.alarm_store import read_alarms
from regard.errors import RegardError
from regard.server.digests import digest_of
from regard.server.operations import OPERATIONS
from regard.server.operations.measuring import Alarms, Check
from regard.server.operations.observer import BatchObserver
from regard.server.operations.operation import Operation
from regard.server.service import Blob, Result, ServiceError
from regard.store.pointer import read_pointers

MOST_OPEN = 2
"""Checkpoints that are kept open; the one that was not asked for the longest makes room."""
_JUDGED = ("translation", "language-model", "classification", "tagging", "question-answering")
_NEED_ATTENTION = frozenset({"explain", "align", "check"})


def operations_of(model: Any, path: Path, name: str, device: str) -> dict[str, Operation]:
    """The operations of a model, by their names; only those that it can do.

    path: its folder, where its checkpoints are, and the thresholds of its alarms
    """
    found = dict(OPERATIONS.get(model.task, {}))
    if model.task in _JUDGED:
        thresholds = read_alarms(path, model.task)
        found |= {"alarms": Alarms(thresholds), "check": Check(thresholds, name)}
    if not getattr(getattr(model, "network", None), "attentions", None):
        found = {own: operation for own, operation in found.items() if own not in _NEED_ATTENTION}
    checkpoints = Checkpoints(path, device)
    return {own: AtCheckpoint(operation, checkpoints) for own, operation in found.items()}


class Checkpoints:
    """The checkpoints of a run, opened when they are asked for."""

    def __init__(self, run: Path, device: str) -> None:
        self._run, self._device = run, device
        self._open: dict[str, tuple[Any, dict[str, Any]]] = {}

    def open(self, name: str) -> tuple[Any, dict[str, Any]]:
        """A checkpoint by the name of its folder, and what is told of it."""
        try:
            return self._opened(name)
        except RegardError:  # which names files, that are no affair of a client
            raise ServiceError(500, "internal", "the checkpoint cannot be opened", field="model") from None

    def _opened(self, name: str) -> tuple[Any, dict[str, Any]]:
        entries = {Path(entry.folder).name: entry for entry in read_pointers(self._run).checkpoints}
        entry = entries.get(name)
        if entry is None:
            known = f"it has {', '.join(entries)}" if entries else "it has none"
            raise ServiceError(
                404,
                "not_found",
                f"this model has no such checkpoint; {known[:1000]}",
                field="model",
                found=name[:64],
            )
        found = self._open.pop(name, None)
        if found is None:
            folder = self._run / entry.folder
            while len(self._open) >= MOST_OPEN:
                del self._open[next(iter(self._open))]
            about = {"checkpoint": name, "step": entry.step, "digest": digest_of(folder)}
            found = api.load(folder, device=self._device), about
        self._open[name] = found
        return found


class AtCheckpoint:
    """An operation whose option `checkpoint` chooses the model. An `Operation`."""

    def __init__(self, operation: Operation, checkpoints: Checkpoints) -> None:
        self._operation, self._checkpoints = operation, checkpoints

    def __call__(
        self,
        model: Any,
        inputs: Sequence[Mapping[str, Any]],
        options: Mapping[str, Any],
        observer: BatchObserver,
    ) -> Sequence[Result]:
        """The results; each says which checkpoint it is of, if one was chosen."""
        name = options.get("checkpoint")
        rest = {own: value for own, value in options.items() if own != "checkpoint"}
        if name is None:
            return self._operation(model, inputs, rest, observer)
        chosen, about = self._checkpoints.open(name)
        found = self._operation(chosen, inputs, rest, observer)
        return [_told(result, about) for result in found]


def _told(result: Result, about: Mapping[str, Any]) -> Result:
    if isinstance(result, Blob):
        return Blob({**result.about, "of": about}, result.content)
    return {**result, "of": about}
