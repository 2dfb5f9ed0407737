"""One worker process, as the front sees it."""

import asyncio
import socket
import sys
from asyncio.events import TimerHandle
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from regard.server.frames import Frame, Unpacker, packed
from regard.server.queue import Item
from regard.server.service import Blob, ModelCard, ServiceError

ENDED = ServiceError(503, "unavailable", "the process that computed this has ended; try again", retry_after=1)


class Worker(asyncio.Protocol):
    """A process that computes with one model; it has one batch at a time."""

    def __init__(self, asked: Mapping[str, Any], stuck_seconds: float) -> None:
        """Not started yet.

        asked:         its first message: which model, and how
        stuck_seconds: how long it may go on with a batch that nobody waits for any more
        """
        self._asked, self._stuck_seconds = asked, stuck_seconds
        self.on_free: Callable[[Worker], None] = lambda _: None
        """Called when it can take a batch."""
        self.on_end: Callable[[Worker], None] = lambda _: None
        """Called when the process is gone."""
        self.on_done: Callable[[Mapping[str, Any]], None] = lambda _: None
        """Called with what a batch took."""
        self.on_problem: Callable[[Mapping[str, Any]], None] = lambda _: None
        """Called with an error that is nobody's mistake but ours."""
        self.card: ModelCard | None = None
        self.problem: str | None = None
        """Why it could not load its model."""
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the model is there, or when it is clear that it will not be."""
        self.is_free = self.was_stuck = False
        self._items: dict[int, Item] = {}
        self._batches: deque[list[int]] = deque()
        """Ids of the inputs of each batch that it has not said to be done."""
        self._unpacker = Unpacker()
        self._timer: TimerHandle | None = None
        self._transport: asyncio.Transport
        self._process: asyncio.subprocess.Process

    async def start(self) -> None:
        """Start the process; `ready` says when it has loaded its model."""
        own, others = socket.socketpair()
        with others:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "regard.server.worker",
                str(others.fileno()),
                pass_fds=[others.fileno()],
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
            )
        await asyncio.get_running_loop().create_connection(lambda: self, sock=own)
        self._transport.write(packed(self._asked))

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    @property
    def is_idle(self) -> bool:
        """Whether it has no batch at all."""
        return not self._batches

    def compute(self, operation: str, options: Mapping[str, Any], items: Sequence[Item]) -> None:
        """Give it a batch."""
        self.is_free = False
        self._items.update((item.id, item) for item in items)
        self._batches.append([item.id for item in items])
        rows = [
            {"id": item.id, "input": dict(item.given), "stream": item.pending.on_piece is not None}
            for item in items
        ]
        batch = {"kind": "batch", "operation": operation, "options": dict(options), "inputs": rows}
        self._transport.write(packed(batch))

    def cancel(self, items: Sequence[Item]) -> None:
        """Let inputs leave their batch at the next step."""
        own = [item.id for item in items if item.id in self._items]
        if not own:
            return
        self._transport.write(packed({"kind": "cancel", "ids": own}))
        if self._timer is None and all(item.pending.future.done() for item in self._items.values()):
            self._timer = asyncio.get_running_loop().call_later(self._stuck_seconds, self._end_stuck)

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
        self._rest()
        for item in self._items.values():
            item.pending.fail(ENDED)
        self._items.clear()
        self._batches.clear()
        if not self.ready.done():
            self.ready.set_result(None)
        self.on_end(self)

    def _hear(self, frame: Frame) -> None:
        about = frame.about
        match about["kind"]:
            case "free":
                self._rest()
                self.is_free = True
                self.on_free(self)
            case "piece":
                item = self._items.get(about["id"])
                if item is not None and item.pending.on_piece is not None:
                    item.pending.on_piece(about["piece"])
            case "result" | "blob":
                item = self._items.pop(about["id"], None)
                if item is not None:
                    is_blob = about["kind"] == "blob"
                    result = Blob(about["result"], frame.content) if is_blob else about["result"]
                    item.pending.answer(item.place, result, frame.size, self._asked["response_bytes"])
            case "error":
                item = self._items.pop(about["id"], None)
                if item is not None:
                    item.pending.fail(ServiceError(**about["error"]))
            case "done":
                for number in self._batches.popleft():
                    self._items.pop(number, None)  # cancelled: there was no answer
                self.on_done(about)
                self.on_free(self)
            case "problem":
                self.on_problem(about)
            case "ready":
                self.card = card_from(about["card"])
                self.is_free = True
                self.ready.set_result(None)
                self.on_free(self)
            case "failed":
                self.problem = about["message"]
                self.ready.set_result(None)

    def _end_stuck(self) -> None:
        self.was_stuck = True
        self.kill()

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def card_from(values: Mapping[str, Any]) -> ModelCard:
    """A card as its worker tells it."""
    given = dict(values)
    given["operations"] = frozenset(given["operations"])
    for name in ("labels", "attentions"):
        given[name] = tuple(given[name])
    return ModelCard(**given)
