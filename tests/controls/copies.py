"""The tree in two forms: as it stands, and as a copy in which a guard can be taken away."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.controls.guards import Control

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("src", "tests", "docs", "results", "pyproject.toml", "README.md", "LICENSE", "Makefile")


@dataclass(frozen=True)
class Outcome:
    """What became of the test when its guard was away."""

    verdict: str
    """red, as it must be; or what it was instead."""
    told: str
    """The last line that pytest wrote."""
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

    def without(self, control: Control) -> Outcome:
        """Take a guard away, run its test, and put the guard back."""
        path = self._root / "src" / "regard" / control.file
        whole = path.read_text(encoding="utf-8")
        if whole.count(control.old) != 1:
            return Outcome("the patch does not apply", "", 0.0)
        path.write_text(whole.replace(control.old, control.new), encoding="utf-8")
        try:
            begun = time.monotonic()
            code, told = self.run_tests([control.test])
            return Outcome(_verdict(code, told), told, time.monotonic() - begun)
        finally:
            path.write_text(whole, encoding="utf-8")

    def run_tests(self, tests: Sequence[str]) -> tuple[int, str]:
        """Pytest's exit code, and the last line that it wrote."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider"]
        environment = {**os.environ, "PYTHONPATH": str(self._root / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [*command, *(f"tests/{test}" for test in tests)],
            cwd=self._root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        lines = (done.stdout + done.stderr).strip().splitlines()
        return done.returncode, lines[-1] if lines else ""


def _verdict(code: int, told: str) -> str:
    if code == 0:
        return "GREEN: the test does not see it"
    # Code 1 without a failed test is an error in a fixture, which proves nothing.
    return "red" if code == 1 and " failed" in f" {told}" else f"BROKEN: pytest ended with {code}"
