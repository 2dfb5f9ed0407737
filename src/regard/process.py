"""What a process that is regard's own asks of the machine; before torch is there.

Nothing that is computed depends on it. A program that imports regard is left as it is, and what the user's
environment says (`GOMP_SPINCOUNT`, `OMP_WAIT_POLICY`) holds.
"""

import ctypes
import os

SPINS = "2000"
KEPT = 2**31 - 1
"""Bytes that may be free at the end of the heap before some are handed back."""
LARGEST_BLOCK = 32 * 2**20
"""Bytes of a block that is still taken from the heap; the most that the GNU library allows."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of <malloc.h>


def settle() -> None:
    """Let waiting threads rest, and keep freed memory.

    A thread of OpenMP that has done its part of a product waits for the next one by spinning, by default for
    some milliseconds. When a thread for each batch takes over, it still spins, and takes a core from them:
    the two directions of an LSTM, a thread each, took 44 ms instead of 33, longer than in turn (40).

    What a step frees, the next one wants again. Handed back to the system in between, every page must be
    zeroed anew: a tenth of the time of a step of a small BiLSTM. So a process stays as large as it once was.
    That is of memory which the main thread takes; other threads hand theirs back as before.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", SPINS)
    try:
        set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    except OSError:  # an interpreter without shared libraries
        return
    if set_option is not None:
        set_option(_MMAP_THRESHOLD, LARGEST_BLOCK)
        set_option(_TRIM_THRESHOLD, KEPT)
