"""Source sentences in ids, as all sides of a comparison of searches read them: numpy and torch alone."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

BEAM = 5
LONGEST = 60
"""The most tokens that an output may have, </s> counted."""

Search = Callable[[Tensor, Tensor, int], list[list[int]]]
"""(b, s), (b,) and a beam size to what is written, without </s>."""
Batch = tuple[Tensor, Tensor]
Done = tuple[list[list[int]], float]
"""What was written for a batch, and its seconds."""


def read_sentences(path: str, *, together: int) -> list[Batch]:
    """Batches of so many sentences of like length, longest first: ids (b, s) and lengths (b,)."""
    with np.load(path) as arrays:
        ids, lengths = (torch.from_numpy(arrays[name]) for name in ("ids", "lengths"))
    batches = []
    for first in range(0, len(ids), together):
        own = lengths[first : first + together]
        batches.append((ids[first : first + together, : int(own.max())], own))
    return batches


def search_all(search: Search, batches: list[Batch], beam: int) -> list[list[int]]:
    """What is written for every sentence."""
    return [written for ids, lengths in batches for written in search(ids, lengths, beam)]


def search_facts(version: str, search: Search, batches: list[Batch], *, together: int) -> dict[str, Any]:
    """What a side that searches tells about itself, with what it writes greedily."""
    greedy = search_all(search, batches, 1)
    return {"version": version, "torch": torch.__version__, "together": together, "greedy": greedy}


def one_after_the_other(work: Callable[[Batch], Done], batches: list[Batch]) -> list[Done]:
    """What a side does with its batches that has no other way."""
    return [work(batch) for batch in batches]


def timed_searches(
    search: Search,
    batches: list[Batch],
    run: Callable[[Callable[[Batch], Done], list[Batch]], list[Done]] = one_after_the_other,
) -> Callable[[], dict[str, Any]]:
    """The work of a side: all batches with a beam; what was written, and the seconds of each batch."""

    def one(batch: Batch) -> Done:
        begun = time.perf_counter()
        outputs = search(*batch, BEAM)
        return outputs, time.perf_counter() - begun

    def work() -> dict[str, Any]:
        done = run(one, batches)
        outputs = [output for written, _ in done for output in written]
        tokens = sum(len(output) + 1 for output in outputs)
        return {"outputs": outputs, "tokens": tokens, "each": [seconds for _, seconds in done]}

    return work
