"""Batches that are searched, or read, at the same time."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import torch

T = TypeVar("T")
R = TypeVar("R")


def side_by_side(work: Callable[[T], R], parts: Sequence[T], device: torch.device) -> list[R]:
    """What `work` makes of each part, in their order; on a CPU as many at a time as torch has threads.

    The steps of a search are too small for two threads to share: on two cores, threads within a step gave
    1.6 times the speed of one. A thread for each batch waits for nobody. `work` must not change what others
    read.
    """
    threads = torch.get_num_threads()
    if device.type != "cpu" or threads < 2 or len(parts) < 2:
        return [work(part) for part in parts]
    pool = ThreadPoolExecutor(threads, "batch", initializer=lambda: torch.set_num_threads(1))
    try:
        return list(pool.map(work, parts))
    finally:
        pool.shutdown(cancel_futures=True)
        torch.set_num_threads(threads)  # what the workers have set is in part set for all
