"""A process of regard's own: how its threads wait, and what becomes of freed memory."""

import os
import platform
import subprocess
import sys

import pytest

AGAIN = """
import resource, sys
import numpy as np
if "settle" in sys.argv:
    from regard.process import settle
    settle()

def step():
    blocks = [np.ones(size) for size in [250_000] * 30 + [5_000_000] * 3]  # 2 MB or 40 MB, freed at the end

for _ in range(3):
    step()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(3):
    step()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
SPINS = """
import os, sys
from regard.__main__ import main
sys.argv = ["regard", "--version"]
try:
    main()
finally:
    print(os.environ.get("GOMP_SPINCOUNT"), "torch" in sys.modules)
"""


def run(program: str, *arguments: str, **environment: str) -> str:
    ours = ("GOMP_", "OMP_", "MALLOC_", "GLIBC_")
    named = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=named | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries have no such setting")
def test_freed_memory_is_kept_for_the_next_step() -> None:
    handed_back, kept = (
        int(run(AGAIN, *arguments, NUMPY_MADVISE_HUGEPAGE="0")) for arguments in ((), ("settle",))
    )
    assert kept < handed_back / 10, "in pages that had to be made again"


@pytest.mark.parametrize(
    ("environment", "found"),
    [({}, "2000"), ({"GOMP_SPINCOUNT": "7"}, "7"), ({"OMP_WAIT_POLICY": "active"}, "None")],
)
def test_waiting_threads_rest_unless_told_otherwise(environment: dict[str, str], found: str) -> None:
    """It is said before torch is loaded: OpenMP reads it when it begins."""
    assert run(SPINS, **environment) == f"{found} False"


FORK = """
import os, signal, torch
from regard.nn.parallel import run_parallel

def compute(part):
    return float((torch.ones(1000, 1000) @ torch.ones(1000, 1000)).sum())

torch.set_num_threads(2)
before = compute(0), run_parallel(compute, range(2), torch.device("cpu"))
child = os.fork()
if child == 0:
    signal.alarm(60)  # the end of one that hangs
    after = compute(0), run_parallel(compute, range(2), torch.device("cpu"))
    os._exit(0 if after == before and torch.get_num_threads() == 1 else 1)
print(os.waitpid(child, 0)[1], torch.get_num_threads())
"""


def test_a_fork_after_use_computes_with_one_thread() -> None:
    """And does not wait for the threads that its parent has."""
    assert run(FORK) == "0 2"
