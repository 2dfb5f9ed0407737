"""One batch in a worker: what comes of each of its inputs."""

import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from regard.errors import RegardError
from regard.server.frames import in_json
from regard.server.front import Front
from regard.server.measure import Measure, Size
from regard.server.operations import Operation
from regard.server.operations.observer import BatchObserver
from regard.server.service import Blob, Result, ServiceError

Row = Mapping[str, Any]
"""An input as the front sends it: its id, what it is, and whether somebody wants to see it being written."""


class Batches:
    """Computes the batches of one model."""

    def __init__(
        self,
        front: Front,
        model: Any,
        operations: Mapping[str, Operation],
        measure: Measure,
        response_bytes: int,
    ) -> None:
        self._front, self._model, self._operations = front, model, operations
        self._measure, self._most = measure, response_bytes

    def run(self, batch: Mapping[str, Any]) -> None:
        """Compute one, and send what comes of each input."""
        front, times = self._front, [time.perf_counter()]
        rows = [row for row in batch["inputs"] if row["id"] not in front.cancelled]
        sizes = self._sizes(batch["operation"], batch["options"], rows)
        times.append(time.perf_counter())
        found: dict[int, Result | ServiceError] = {}
        able = []
        for row, size in zip(rows, sizes, strict=True):
            if isinstance(size, ServiceError):
                found[row["id"]] = size
            else:
                able.append((row, size.weights))
        observer = _Counting(front, {row["id"] for row in rows if row["stream"]})
        for part in self._parts(able):
            found.update(self._results(batch["operation"], batch["options"], part, observer))
        times.append(time.perf_counter())
        front.send({"kind": "free"})
        for number, result in found.items():
            if number not in front.cancelled:
                self._send(number, result)
        front.forget(row["id"] for row in batch["inputs"])
        times.append(time.perf_counter())
        tokens = sum(size.tokens for size in sizes if not isinstance(size, ServiceError))
        seconds = [after - before for before, after in pairwise(times)]
        front.send({"kind": "done", "seconds": seconds, "tokens": tokens, "steps": observer.steps})

    def _sizes(
        self, operation: str, options: Mapping[str, Any], rows: Sequence[Row]
    ) -> list[Size | ServiceError]:
        """How large each is; of one that cannot be measured, why."""
        try:
            return self._measure.sizes(operation, [row["input"] for row in rows], options)
        except Exception as error:
            if len(rows) > 1:
                return [size for row in rows for size in self._sizes(operation, options, [row])]
            return [self._told(error)]

    def _parts(self, rows: Sequence[tuple[Row, int]]) -> Iterator[list[Row]]:
        """All of them together; of those whose attention is kept, so many as there is room for."""
        part: list[Row] = []
        held = 0
        for row, weights in rows:
            if part and held + weights > self._measure.most_weights:
                yield part
                part, held = [], 0
            part.append(row)
            held += weights
        if part:
            yield part

    def _results(
        self, operation: str, options: Mapping[str, Any], rows: Sequence[Row], observer: "_Counting"
    ) -> dict[int, Result | ServiceError]:
        ids = [row["id"] for row in rows]
        try:
            found = self._operations[operation](
                self._model, [row["input"] for row in rows], options, observer.of(ids)
            )
            return dict(zip(ids, found, strict=True))
        except Exception as error:
            if len(rows) > 1:  # one that is refused is no affair of the others
                alone = (self._results(operation, options, [row], observer) for row in rows)
                return {number: result for each in alone for number, result in each.items()}
            return {ids[0]: self._told(error)}

    def _told(self, error: Exception) -> ServiceError:
        """What a client is told: a mistake of theirs in words, anything else without any."""
        if isinstance(error, ServiceError):
            return error
        if isinstance(error, RegardError):
            return ServiceError(422, "invalid", str(error))
        frames = traceback.extract_tb(error.__traceback__)[-3:]
        places = [f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in frames]
        self._front.send({"kind": "problem", "error": type(error).__name__, "at": places})
        return ServiceError(500, "internal", "the request could not be computed")

    def _send(self, number: int, result: Result | ServiceError) -> None:
        """Send one result; one that is too large is refused instead."""
        if isinstance(result, ServiceError):
            self._front.send({"kind": "error", "id": number, "error": vars(result)})
            return
        is_blob = isinstance(result, Blob)
        about, content = (result.about, result.content) if isinstance(result, Blob) else (result, b"")
        text = in_json({"kind": "blob" if is_blob else "result", "id": number, "result": about})
        size = len(text) + len(content)
        if size <= self._most:
            self._front.send_packed(text, content)
            return
        self._send(
            number,
            ServiceError(
                413,
                "too_large",
                f"the answer would have {size:,} bytes, and {self._most:,} are allowed; ask for less of the "
                f"attention, or for fewer results",
                limit=self._most,
                found=size,
            ),
        )


class _Counting:
    """Makes the observers of a batch's parts, and counts the steps of their searches."""

    def __init__(self, front: Front, streaming: set[int]) -> None:
        self._front, self._streaming = front, streaming
        self._made: list[BatchObserver] = []

    @property
    def steps(self) -> int:
        """Of each sentence, added up."""
        return sum(each.steps for each in self._made)

    def of(self, ids: Sequence[int]) -> BatchObserver:
        """An observer of some inputs."""
        self._made.append(BatchObserver(ids, self._front.cancelled, self._streaming, self._say))
        return self._made[-1]

    def _say(self, number: int, piece: Mapping[str, Any]) -> None:
        self._front.send({"kind": "piece", "id": number, "piece": piece})
