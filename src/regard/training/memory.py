"""How much memory there is, and what to do when a batch needs more."""

import resource
import sys
from collections.abc import Sequence
from typing import Protocol

import torch

from regard.errors import DataError
from regard.progress import counted, say

_SIGNS = ("not enough memory", "can't allocate memory", "out of memory")


class Describer(Protocol):
    """What can name the rows of a batch."""

    def describe(self, rows: Sequence[int]) -> str:
        """The places of these rows."""
        ...


def memory_bytes() -> int:
    """The most memory that this process had so far; Linux counts in KiB, macOS in bytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def is_out_of_memory(error: Exception) -> bool:
    """Whether memory was too small; torch has several ways to say so."""
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return any(sign in str(error).lower() for sign in _SIGNS)


def halves(rows: Sequence[int], error: Exception, task: Describer) -> list[Sequence[int]]:
    """A batch for which the memory was too small, in two; one sentence alone is refused, and named.

    Any other error is raised again.
    """
    if not is_out_of_memory(error):
        raise error
    if getattr(task, "whole_batches", False):
        raise DataError(
            f"{task.describe(rows)}: the memory is too small for a batch of {counted(len(rows), 'row')}, and "
            f"they are each other's negatives, so that it cannot be cut; set a smaller training.batch_tokens"
        ) from None
    if len(rows) == 1:
        raise DataError(
            f"{task.describe(rows)}: there is not enough memory for this sentence alone; "
            f"set a smaller data.max_tokens, so that it is left out"
        ) from None
    batch = f"a batch of {counted(len(rows), 'row')} ({task.describe(rows)})"
    say(f"not enough memory for {batch}: it is cut in two")
    middle = len(rows) // 2
    return [rows[:middle], rows[middle:]]
