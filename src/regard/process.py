"""What a process that is regard's own asks of the machine, before torch is there; and what a fork needs.

Nothing that is computed depends on it. `settle` is for a process of regard's own: a program that imports
regard is left as it is, and what the user's environment says (`GOMP_SPINCOUNT`, `OMP_WAIT_POLICY`) holds.
"""

import ctypes
import os
import sys

SPINS = "2000"
KEPT = 2**31 - 1
"""Bytes that may be free at the end of the heap before some are handed back."""
_TRIM_THRESHOLD, _MMAP_MAX = -1, -4  # of <malloc.h>


def settle() -> None:
    """Let waiting threads rest, and keep freed memory.

    A thread of OpenMP that has done its part of a product waits for the next one by spinning, by default for
    some milliseconds. When a thread for each batch takes over, it still spins, and takes a core from them:
    the two directions of an LSTM, a thread each, took 44 ms instead of 33, longer than in turn (40).

    What a step frees, the next one wants again. Handed back to the system in between, every page must be
    zeroed anew: a tenth of the time of a step of a small BiLSTM. Blocks of more than 32 MB are always handed
    back, unless all blocks are taken from the heap: a quarter of the time of a Transformer's step with
    sentences of 512 words. So a process stays as large as it once was, with a tenth more memory there. That
    is of what the main thread takes; other threads hand theirs back as before.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", SPINS)
    try:
        set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    except OSError:  # an interpreter without shared libraries
        return
    if set_option is not None:
        set_option(_MMAP_MAX, 0)
        set_option(_TRIM_THRESHOLD, KEPT)


def one_thread_after_a_fork() -> None:
    """Let torch compute with one thread in processes that are forked from this one.

    A fork has none of the other threads. OpenMP does not know it, and waits for them for ever at the first
    product that more than one thread should share.
    """
    os.register_at_fork(after_in_child=_use_one_thread)


def _use_one_thread() -> None:
    set_number = getattr(sys.modules.get("torch"), "set_num_threads", None)
    if set_number is not None:
        set_number(1)
