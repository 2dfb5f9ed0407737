"""A copy of the tree in which a guard can be taken away, and its tests run.

Tests run in forks of this process, which has imported torch and others but nothing of regard: importing them
takes most of the time of a short test.
"""

import compileall
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tests.controls.guards import Control

ROOT = Path(__file__).resolve().parents[2]
PARTS = (
    "src",
    "tests",
    "docs",
    "results",
    "pyproject.toml",
    "README.md",
    "README.ko.md",
    "LICENSE",
    "Makefile",
)


@dataclass(frozen=True)
class Outcome:
    """What became of the test when its guard was away."""

    verdict: str
    """red, as it must be; or what it was instead."""
    seconds: float


class Copy:
    """A copy of the tree; the tree itself is never touched."""

    def __init__(self, folder: Path) -> None:
        self._root = folder / "tree"
        self._root.mkdir()
        for part in PARTS:
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, self._root / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / part, self._root / part)
        compileall.compile_dir(self._root / "src", quiet=1)  # a patched file has another time

    def without(self, control: Control) -> Outcome:
        """Take a guard away, run its test, and put the guard back."""
        path = self._root / "src" / "regard" / control.file
        whole = path.read_text(encoding="utf-8")
        if whole.count(control.old) != 1:
            return Outcome("the patch does not apply", 0.0)
        path.write_text(whole.replace(control.old, control.new), encoding="utf-8")
        try:
            begun = time.monotonic()
            verdict = _verdict(*self.run_tests([control.test]))
            return Outcome(verdict, time.monotonic() - begun)
        finally:
            path.write_text(whole, encoding="utf-8")

    def run_tests(self, tests: Sequence[str]) -> tuple[int, str]:
        """Pytest's exit code, and what it wrote last: the tests that failed, and how many did."""
        import torch._dynamo  # noqa: F401  # which a first step of training would import

        with tempfile.TemporaryFile("w+") as told:
            child = os.fork()
            if child == 0:
                self._be_pytest(tests, told)
            _, status = os.waitpid(child, 0)
            told.seek(0)
            lines = told.read().strip().splitlines()
        failed = [line for line in lines if line.startswith("FAILED ")]
        return os.waitstatus_to_exitcode(status), "; ".join([*failed, *lines[-1:]])

    def _be_pytest(self, tests: Sequence[str], told: IO[str]) -> None:
        """What a fork does; it does not return."""
        code = 99
        try:
            os.dup2(told.fileno(), 1)
            os.dup2(told.fileno(), 2)
            os.chdir(self._root)
            sys.dont_write_bytecode = True
            os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
            os.environ["PYTHONPATH"] = sys.path[0] = str(self._root / "src")
            for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
                del sys.modules[name]
            import pytest

            options = ["-x", "-q", "--no-header", "-p", "no:cacheprovider"]
            code = pytest.main([*options, *(f"tests/{test}" for test in tests)])
            sys.stdout.flush()
        finally:
            os._exit(code)


def _verdict(code: int, told: str) -> str:
    if code == 0:
        return "GREEN: the test does not see it"
    # Code 1 without a failed test is an error in a fixture, which proves nothing.
    return "red" if code == 1 and " failed" in f" {told}" else f"BROKEN: pytest ended with {code}: {told}"
