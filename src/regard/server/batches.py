"""One batch in a worker: what comes of each of its inputs."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from regard.errors import RegardError
from regard.server.frames import in_json
from regard.server.operations import OPERATIONS
from regard.server.operations.observer import BatchObserver
from regard.server.service import Blob, Result, ServiceError
from regard.server.worker import Front


def run_batch(front: Front, model: Any, task: str, batch: Mapping[str, Any], most: int) -> None:
    """Compute one batch, and send what comes of each input.

    most: bytes of one result
    """

    def send_piece(number: int, piece: Mapping[str, Any]) -> None:
        front.send({"kind": "piece", "id": number, "piece": piece})

    begun = time.perf_counter()
    rows = [row for row in batch["inputs"] if row["id"] not in front.cancelled]
    streaming = {row["id"] for row in rows if row["stream"]}
    run = OPERATIONS[task][batch["operation"]]
    options = batch["options"]

    def results(some: Sequence[Mapping[str, Any]]) -> list[Result | ServiceError]:
        ids = [row["id"] for row in some]
        observer = BatchObserver(ids, front.cancelled, streaming, send_piece)
        try:
            return list(run(model, [row["input"] for row in some], options, observer))
        except Exception as error:
            if len(some) > 1:  # one that is refused is no affair of the others
                return [found for row in some for found in results([row])]
            return [as_service_error(error)]

    found = results(rows) if rows else []
    computed = time.perf_counter()
    front.send({"kind": "free"})
    for row, result in zip(rows, found, strict=True):
        if row["id"] not in front.cancelled:
            send_result(front, row["id"], result, most)
    front.cancelled.difference_update(row["id"] for row in batch["inputs"])
    told = {"compute": computed - begun, "serialize": time.perf_counter() - computed}
    front.send({"kind": "done", "seconds": told})


def send_result(front: Front, number: int, result: Result | ServiceError, most: int) -> None:
    """Send one result; one that is too large is refused instead."""
    if isinstance(result, ServiceError):
        front.send({"kind": "error", "id": number, "error": vars(result)})
        return
    about, content = (result.about, result.content) if isinstance(result, Blob) else (result, b"")
    size = len(in_json(about)) + len(content)
    if size > most:
        error = ServiceError(
            413,
            "too_large",
            f"the answer would have {size:,} bytes; ask for less of the attention",
            limit=most,
            found=size,
        )
        front.send({"kind": "error", "id": number, "error": vars(error)})
        return
    kind = "blob" if isinstance(result, Blob) else "result"
    front.send({"kind": kind, "id": number, "result": about}, content)


def as_service_error(error: Exception) -> ServiceError:
    """What a client is told of an error: a mistake of theirs in words, anything else without any."""
    if isinstance(error, ServiceError):
        return error
    if isinstance(error, RegardError):
        return ServiceError(422, "invalid", str(error))
    return ServiceError(500, "internal", "the request could not be computed")
