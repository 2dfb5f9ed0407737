"""Which requests are computed together."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from regard.server.queue import Pending, Queue
from regard.server.service import Call, ServiceError


def pending(*texts: str, operation: str = "translate", **options: Any) -> Pending:
    return Pending(Call("m", operation, [{"text": text} for text in texts], options))


def waiting(most: int, *calls: Pending) -> Queue:
    queue = Queue(most)
    for call in calls:
        queue.put(call)
    return queue


def lengths(queue: Queue, inputs: int = 64, characters: int = 10_000) -> list[int]:
    return [item.length for item in queue.take(inputs, characters)]


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def test_equal_wishes_go_together_and_others_wait() -> None:
    async def check() -> None:
        queue = waiting(
            9, pending("a"), pending("bb", beam_size=2), pending("ccc", "d"), pending("e", operation="o")
        )
        assert lengths(queue) == [1, 1, 3]
        assert lengths(queue) == [2]
        assert lengths(queue) == [1]
        assert lengths(queue) == []

    run(check())


def test_the_oldest_comes_first_with_what_is_nearest_to_it_in_length() -> None:
    async def check() -> None:
        queue = waiting(9, *(pending("x" * length) for length in (30, 1, 29, 200, 33)))
        assert lengths(queue, inputs=3) == [30, 29, 33]
        assert lengths(queue, characters=200) == [1]
        assert lengths(queue, characters=200) == [200]

    run(check())


def test_one_that_is_longer_than_the_budget_goes_alone() -> None:
    async def check() -> None:
        queue = waiting(9, pending("x" * 500), pending("y" * 500))
        assert lengths(queue, characters=100) == [500]
        assert lengths(queue, characters=100) == [500]

    run(check())


def test_a_full_queue_refuses_and_a_dropped_call_makes_room() -> None:
    async def check() -> None:
        first = pending("a", "b")
        queue = waiting(2, first, pending("c"))
        with pytest.raises(ServiceError) as caught:
            queue.put(pending("d"))
        assert (caught.value.status, caught.value.limit, caught.value.retry_after) == (429, 2, 1)
        queue.take(1, 100)  # one of its inputs is being computed, the other waits
        assert len(queue) == 2
        queue.drop(first)
        queue.put(pending("d"))
        assert len(lengths(queue)) == 2

    run(check())
