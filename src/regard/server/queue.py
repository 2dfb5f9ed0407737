"""Requests of one model that wait for a worker, and which of them are computed together."""

import asyncio
import json
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from regard.server.service import Call, Result, ServiceError

_numbers = count(1)


class Pending:
    """A call on its way, and what has come of its inputs so far."""

    def __init__(self, call: Call, on_piece: Callable[[Mapping[str, Any]], None] | None = None) -> None:
        self.call = call
        self.on_piece = on_piece
        """Who wants to see it being written."""
        self.group = f"{call.operation} {json.dumps(dict(call.options), sort_keys=True)}"
        """Calls of one group may share a batch."""
        self.items = [Item(self, place, given) for place, given in enumerate(call.inputs)]
        self.future: asyncio.Future[list[Result]] = asyncio.get_running_loop().create_future()
        self.begun = asyncio.get_running_loop().time()
        self._results: list[Result | None] = [None] * len(self.items)
        self._left = len(self.items)
        self._bytes = 0

    def answer(self, place: int, result: Result, size: int, most: int) -> None:
        """The result of an input; the last one ends the call.

        size: of the result, in bytes
        most: of all of them together
        """
        if self.future.done():
            return
        self._bytes += size
        if self._bytes > most:
            self.fail(
                ServiceError(
                    413,
                    "too_large",
                    f"the answer would have more than {most:,} bytes; ask for less at once",
                    limit=most,
                    found=self._bytes,
                )
            )
            return
        self._results[place] = result
        self._left -= 1
        if not self._left:
            self.future.set_result([one for one in self._results if one is not None])

    def fail(self, error: ServiceError) -> None:
        """End the call without a result."""
        if not self.future.done():
            self.future.set_exception(error)


class Item:
    """One input of a call."""

    __slots__ = ("given", "id", "length", "pending", "place")

    def __init__(self, pending: Pending, place: int, given: Mapping[str, Any]) -> None:
        self.id = next(_numbers)
        self.pending, self.place, self.given = pending, place, given
        self.length = sum(len(value) for value in given.values() if isinstance(value, str | list))
        """In characters: what tokens it has, the worker knows."""


class Queue:
    """The calls that wait, oldest first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._items: dict[int, Item] = {}
        self._calls: dict[Pending, int] = {}
        """How many inputs of each still wait."""

    def __len__(self) -> int:
        return len(self._calls)

    def put(self, pending: Pending) -> None:
        """Let a call wait, or refuse it at once where too many do."""
        if len(self._calls) >= self._most:
            raise ServiceError(
                429,
                "overloaded",
                f"{len(self._calls)} requests wait already; try again later",
                limit=self._most,
                found=len(self._calls),
                retry_after=1,
            )
        self._calls[pending] = len(pending.items)
        self._items.update((item.id, item) for item in pending.items)

    def take(self, inputs: int, characters: int) -> list[Item]:
        """The oldest input, and those of its group that are nearest to it in length.

        inputs, characters: the most of them together, each as long as the longest
        """
        oldest = next(iter(self._items.values()), None)
        if oldest is None:
            return []
        alike = [item for item in self._items.values() if item.pending.group == oldest.pending.group]
        alike.sort(key=lambda item: abs(item.length - oldest.length))  # stable: the oldest stays the first
        chosen: list[Item] = []
        longest = 1
        for item in alike:
            longest = max(longest, item.length)
            if chosen and (len(chosen) == inputs or longest * (len(chosen) + 1) > characters):
                break
            chosen.append(item)
        for item in chosen:
            self._remove(item)
        return chosen

    def drop(self, pending: Pending) -> None:
        """Forget a call that nobody waits for any more."""
        if pending in self._calls:
            for item in pending.items:
                if item.id in self._items:
                    self._remove(item)

    def waiting(self) -> list[Pending]:
        """The calls that wait."""
        return list(self._calls)

    def _remove(self, item: Item) -> None:
        del self._items[item.id]
        self._calls[item.pending] -= 1
        if not self._calls[item.pending]:
            del self._calls[item.pending]
