"""Source sentences in ids, as both sides of the decoding benchmark read them: numpy and torch alone."""

from collections.abc import Callable

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
