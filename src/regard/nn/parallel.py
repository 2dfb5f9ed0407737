"""Batches in parallel threads, each with its share of the cores."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from functools import partial
from threading import Barrier, Event, Lock
from typing import TypeVar

import torch

T = TypeVar("T")
R = TypeVar("R")


def run_parallel(work: Callable[[T], R], parts: Sequence[T], device: torch.device) -> list[R]:
    """What `work` makes of each part, in their order; on a CPU as many at a time as torch has threads.

    The steps of a search are too small for two threads to share: on two cores, threads within a step gave
    1.6 times the speed of one. A thread for each batch waits for nobody. `work` must not change what others
    read, and says for itself whether it wants gradients: that is a setting of a thread.
    """
    threads = torch.get_num_threads()
    workers = min(threads, len(parts))
    if device.type != "cpu" or workers < 2:
        return [work(part) for part in parts]
    pool, failed = _pool(workers, threads // workers), Event()

    def begin(part: T) -> R:
        if failed.is_set():
            raise CancelledError  # nobody asks: the mistake that stopped it comes first
        try:
            return work(part)
        except BaseException:
            failed.set()
            raise

    futures: list[Future[R]] = []
    try:
        futures += [pool.submit(begin, part) for part in parts]
        return [future.result() for future in futures]
    finally:  # also where one has failed: the others must not go on behind the caller's back
        for future in futures:
            future.cancel()
        wait(futures)


_pools: dict[tuple[int, int], ThreadPoolExecutor] = {}
_lock = Lock()


def _pool(workers: int, share: int) -> ThreadPoolExecutor:
    """Threads that stay from one call to the next, and compute with this many threads each."""
    with _lock:
        if (workers, share) not in _pools:
            # In a thread of its own: the setting of the thread that asks is not touched.
            with ThreadPoolExecutor(1) as maker:
                _pools[workers, share] = maker.submit(_make, workers, share).result()
        return _pools[workers, share]


def _make(workers: int, share: int) -> ThreadPoolExecutor:
    """The number of threads is a setting of each thread; what was set last is what new threads begin with.

    So that is put back as soon as the workers are there: who computes in other threads keeps all of them.
    """
    for_new_threads = torch.get_num_threads()
    pool, met = ThreadPoolExecutor(workers, "side", initializer=partial(_take_share, share)), Barrier(workers)
    for future in [pool.submit(met.wait) for _ in range(workers)]:
        future.result()
    torch.set_num_threads(for_new_threads)
    return pool


def _take_share(share: int) -> None:
    torch.get_num_threads()  # only now does a thread take what new ones begin with; later it would undo this
    torch.set_num_threads(share)


def _forget_pools() -> None:
    """A process that was forked has none of the threads; and the lock may have been held by one of them."""
    global _lock
    _lock = Lock()
    _pools.clear()


os.register_at_fork(after_in_child=_forget_pools)
