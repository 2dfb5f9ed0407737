"""The side that is timed: a process that waits for work, does it, and says how long it took.

Only the standard library is used: this also runs in the environments of the peers.
"""

import importlib
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

RAISED = -15
"""The nice value of a side that may have one: other work on the machine then hardly stalls its threads."""

Facts = dict[str, Any]


def serve(
    prepare: Callable[[], tuple[Facts, Callable[[], Facts]]],
    *,
    polite: bool = False,
    modules: Sequence[str] = (),
) -> None:
    """Prepare, say so, then do the work once for each line `go`, until the lines end.

    prepare: returns what is to be known of this side, and the work; the work may return facts too
    polite:  do not raise the priority
    modules: what `prepare` imports; imported before it, since the memory of imports is not counted

    `memory` in each answer is the most that was resident so far, above what the imports had needed.

    Standard output carries one JSON object a line and nothing else: what the work prints goes to the errors.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    def answer(facts: Facts) -> None:
        answers.write(json.dumps(facts) + "\n")
        answers.flush()

    raised = not polite and raise_priority()
    for name in modules:
        importlib.import_module(name)
    before = most_memory()
    facts, work = prepare()
    answer({**facts, "raised": raised})
    for line in sys.stdin:
        if line.strip() != "go":
            raise SystemExit(f"expected go, found {line!r}")
        begun = time.perf_counter()
        told = work()
        seconds = time.perf_counter() - begun
        answer({"seconds": seconds, "memory": most_memory() - before, **told})


def raise_priority() -> bool:
    """Before other processes and, where Linux puts sessions in groups, before other sessions; if allowed."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, RAISED)
        Path("/proc/self/autogroup").write_text(str(RAISED))
    except OSError:
        return os.getpriority(os.PRIO_PROCESS, 0) == RAISED
    return True


def most_memory() -> int:
    """Bytes: the most that was resident in this process. (`getrusage` would count its parent's, too.)"""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.split("VmHWM:")[1].split()[0]) * 1024
