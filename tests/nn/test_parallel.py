"""Parts at the same time, results in their order."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
import torch

from regard.nn.parallel import run_parallel

CPU = torch.device("cpu")
T = TypeVar("T")


@pytest.fixture(autouse=True)
def _two_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def test_two_at_a_time_each_with_one_thread() -> None:
    both = threading.Barrier(2, timeout=60)  # nobody passes alone

    def work(part: int) -> tuple[int, int, bool]:
        both.wait()
        return part, torch.get_num_threads(), threading.current_thread() is threading.main_thread()

    assert run_parallel(work, [3, 1, 2, 0], CPU) == [(part, 1, False) for part in (3, 1, 2, 0)]
    assert torch.get_num_threads() == 2


@pytest.mark.parametrize("threads", [1, 2])
def test_one_part_or_one_thread_stays_where_it_is(threads: int) -> None:
    torch.set_num_threads(threads)
    parts = [7] if threads == 2 else [7, 8]
    found = run_parallel(lambda part: (part, threading.current_thread(), torch.get_num_threads()), parts, CPU)
    assert found == [(part, threading.main_thread(), threads) for part in parts]


def test_a_mistake_reaches_the_caller_and_the_rest_is_not_begun() -> None:
    begun: list[int] = []

    def work(part: int) -> int:
        begun.append(part)
        if part == 0:
            raise ValueError("of part 0")
        return part

    with pytest.raises(ValueError, match="of part 0"):
        run_parallel(work, range(10_000), CPU)
    assert len(begun) < 10_000
    assert torch.get_num_threads() == 2


def in_a_new_thread(ask: Callable[[], T]) -> T:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(ask).result()


def test_calls_that_overlap_leave_the_number_of_threads_as_it_was() -> None:
    torch.set_num_threads(8)
    begun, all_begun = threading.Barrier(3, timeout=60), threading.Barrier(3, timeout=60)

    def call(parts: int) -> tuple[list[int], int]:
        """Of a thread that first computes while others are at work already."""
        begun.wait()

        def work(part: int) -> int:
            if part == 0:
                all_begun.wait()  # the calls overlap
            return torch.get_num_threads()

        return run_parallel(work, range(parts), CPU), torch.get_num_threads()

    for _ in range(5):
        with ThreadPoolExecutor(3) as pool:
            found = list(pool.map(call, (2, 4, 8)))
        assert found == [([4, 4], 8), ([2] * 4, 8), ([1] * 8, 8)]
    assert (torch.get_num_threads(), in_a_new_thread(torch.get_num_threads)) == (8, 8)


def test_workers_keep_their_share() -> None:
    """A thread takes the setting for new threads when it first computes; that must not undo its own."""
    torch.set_num_threads(2)
    matrix = torch.ones(300, 300)
    run_parallel(lambda _: matrix @ matrix, range(2), CPU)
    assert run_parallel(lambda _: torch.get_num_threads(), range(2), CPU) == [1, 1]
    assert in_a_new_thread(torch.get_num_threads) == 2
