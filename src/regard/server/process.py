"""One worker process, as the front sees it."""

import asyncio
import os
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from regard.server.frames import Frame, Unpacker, packed
from regard.server.queue import Item
from regard.server.service import Blob, ModelCard, ServiceError

_numbers = count(1)


class Worker(asyncio.Protocol):
    """A process that computes with one model; it has one batch at a time."""

    def __init__(self, on_free: Callable[["Worker"], None], on_end: Callable[["Worker"], None]) -> None:
        """Not started yet.

        on_free: called when it could take a batch
        on_end:  called when the process is gone
        """
        self._on_free, self._on_end = on_free, on_end
        self.card: ModelCard | None = None
        self.problem: str | None = None
        """Why it could not load its model."""
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the model is there, or when it is clear that it will not be."""
        self.items: dict[int, Item] = {}
        """Inputs that it computes, by their ids."""
        self.is_free = False
        self._unpacker = Unpacker()
        self._transport: asyncio.Transport
        self._process: asyncio.subprocess.Process

    @classmethod
    async def start(
        cls,
        asked: Mapping[str, Any],
        on_free: Callable[["Worker"], None],
        on_end: Callable[["Worker"], None],
    ) -> "Worker":
        """Start a process; `ready` says when it has loaded its model."""
        worker = cls(on_free, on_end)
        own, others = socket.socketpair()
        with others:
            worker._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "regard.server.worker",
                str(others.fileno()),
                pass_fds=[others.fileno()],
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
            )
        await asyncio.get_running_loop().create_connection(lambda: worker, sock=own)
        worker._transport.write(packed(asked))
        return worker

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    def compute(self, operation: str, options: Mapping[str, Any], items: Sequence[Item]) -> None:
        """Give it a batch."""
        self.is_free = False
        self.items.update((item.id, item) for item in items)
        rows = [
            {"id": item.id, "input": dict(item.given), "stream": item.pending.on_piece is not None}
            for item in items
        ]
        batch = {"kind": "batch", "operation": operation, "options": dict(options), "inputs": rows}
        self._transport.write(packed(batch))

    def cancel(self, ids: Sequence[int]) -> None:
        """Let inputs leave their batch at the next step."""
        own = [number for number in ids if number in self.items]
        if own:
            self._transport.write(packed({"kind": "cancel", "ids": own}))

    def kill(self) -> None:
        """End the process now."""
        if self._process.returncode is None:
            self._process.kill()

    async def stop(self) -> None:
        """Close the socket, with which the process ends."""
        self._transport.close()
        await self._process.wait()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The socket is open."""
        self._transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        """Messages of the process."""
        for frame in self._unpacker.feed(data):
            self._hear(frame)

    def connection_lost(self, exc: Exception | None) -> None:
        """The process is gone, and its requests with it."""
        del exc
        self.is_free = False
        error = ServiceError(
            503, "unavailable", "the process that computed this has ended; try again", retry_after=1
        )
        for item in self.items.values():
            item.pending.fail(error)
        self.items.clear()
        if not self.ready.done():
            self.ready.set_result(None)
        self._on_end(self)

    def _hear(self, frame: Frame) -> None:
        about = frame.about
        match about["kind"]:
            case "free":
                self.is_free = True
                self._on_free(self)
            case "piece":
                item = self.items.get(about["id"])
                if item is not None and item.pending.on_piece is not None:
                    item.pending.on_piece(about["piece"])
            case "result" | "blob":
                item = self.items.pop(about["id"], None)
                if item is not None:
                    is_blob = about["kind"] == "blob"
                    result = Blob(about["result"], frame.content) if is_blob else about["result"]
                    item.pending.answer(item.place, result)
            case "error":
                item = self.items.pop(about["id"], None)
                if item is not None:
                    item.pending.fail(ServiceError(**about["error"]))
            case "ready":
                self.card = card_from(about["card"])
                self.is_free = True
                self.ready.set_result(None)
                self._on_free(self)
            case "failed":
                self.problem = about["message"]
                self.ready.set_result(None)


def card_from(values: Mapping[str, Any]) -> ModelCard:
    """A card as its worker tells it."""
    given = dict(values)
    given["operations"] = frozenset(given["operations"])
    for name in ("labels", "attentions"):
        given[name] = tuple(given[name])
    return ModelCard(**given)


def asked_of(name: str, path: Path, device: str, threads: int | None, response_bytes: int) -> dict[str, Any]:
    """The first message to a worker."""
    return {
        "kind": "load",
        "name": name,
        "path": os.fspath(path),
        "device": device,
        "threads": threads,
        "response_bytes": response_bytes,
    }
