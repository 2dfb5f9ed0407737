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


def read_sentences(path: str, *, together: int) -> list[tuple[Tensor, Tensor]]:
    """Batches of so many sentences of like length, longest first: ids (b, s) and lengths (b,)."""
    with np.load(path) as arrays:
        ids, lengths = (torch.from_numpy(arrays[name]) for name in ("ids", "lengths"))
    batches = []
    for first in range(0, len(ids), together):
        own = lengths[first : first + together]
        batches.append((ids[first : first + together, : int(own.max())], own))
    return batches


def search_all(search: Search, batches: list[tuple[Tensor, Tensor]], beam: int) -> list[list[int]]:
    """What is written for every sentence."""
    return [written for ids, lengths in batches for written in search(ids, lengths, beam)]


def timed_searches(search: Search, batches: list[tuple[Tensor, Tensor]]) -> Callable[[], dict[str, Any]]:
    """The work of a side: all batches with a beam; what was written, and the seconds of each batch."""

    def work() -> dict[str, Any]:
        outputs: list[list[int]] = []
        each = []
        for ids, lengths in batches:
            begun = time.perf_counter()
            outputs += search(ids, lengths, BEAM)
            each.append(time.perf_counter() - begun)
        return {"outputs": outputs, "tokens": sum(len(output) + 1 for output in outputs), "each": each}

    return work
