"""Sides in turn, round after round, so that a change of the machine's speed hits all of them alike.

Every side is a process of its own (`bench/worker.py`), started once; while one works, the others wait. The
order turns from round to round. No round is left out: a median and the whole range are shown. The ratio of
two sides is the median of the ratios of their rounds.
"""

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from regard.process import KEPT, SPINS

ROOT = Path(__file__).parents[1]
SHOWN_ERRORS = 2000
"""Characters of what a side wrote before it died."""


@dataclass(frozen=True)
class Measured:
    """What one side took."""

    facts: dict[str, Any]
    """What it said of itself when it was ready."""
    seconds: list[float]
    """Of each round, in order."""
    told: list[dict[str, Any]]
    """What it said after each."""

    @property
    def last(self) -> dict[str, Any]:
        """What it said after its last round."""
        return self.told[-1]

    @property
    def median(self) -> float:
        """Seconds of the middle round."""
        return statistics.median(self.seconds)

    def times(self, other: "Measured") -> tuple[float, float, float]:
        """How many times as long as the other side: the median over the rounds, the least, the most."""
        ratios = [own / its for own, its in zip(self.seconds, other.seconds, strict=True)]
        return statistics.median(ratios), min(ratios), max(ratios)

    def to_json(self) -> dict[str, Any]:
        """For a result file."""
        told = {name: value for name, value in self.last.items() if name != "seconds"}
        return {**self.facts, **told, "seconds": [round(second, 4) for second in self.seconds]}


class Side:
    """A process that does its work when it is told to."""

    def __init__(self, name: str, command: Sequence[str], *, threads: int, errors: IO[str]) -> None:
        self.name = name
        self._errors = errors
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            cwd=ROOT,
            env=_environment(threads),
            start_new_session=True,  # a session has a priority of its own
        )

    def __enter__(self) -> "Side":
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):  # it has given up
            os.killpg(self._process.pid, signal.SIGKILL)  # and the server that it may have started
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()

    def answer(self) -> dict[str, Any]:
        """What the side says next."""
        line = self._process.stdout.readline() if self._process.stdout else ""
        if not line:
            self._process.wait()
            self._errors.seek(0)
            raise SystemExit(f"{self.name} gave up:\n{self._errors.read()[-SHOWN_ERRORS:].strip()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def go(self) -> dict[str, Any]:
        """Let it do its work once."""
        if self._process.stdin is not None:
            self._process.stdin.write("go\n")
            self._process.stdin.flush()
        return self.answer()


def in_turn(commands: Mapping[str, Sequence[str]], *, rounds: int, threads: int) -> dict[str, Measured]:
    """Start every side, let each do its work once to get warm, then measure so many rounds."""
    with ExitStack() as stack:
        sides: list[Side] = []
        facts: dict[str, dict[str, Any]] = {}
        for name, command in commands.items():
            errors = stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))
            side = stack.enter_context(Side(name, command, threads=threads, errors=errors))
            facts[name] = side.answer()
            warm = side.go()
            say(f"  {name} is ready; {warm['seconds']:.1f} s to get warm")
            sides.append(side)
        answers: dict[str, list[dict[str, Any]]] = {name: [] for name in commands}
        for number in range(rounds):
            turned = number % len(sides)
            for side in sides[turned:] + sides[:turned]:
                answers[side.name].append(side.go())
            took = "  ".join(f"{side.name} {answers[side.name][-1]['seconds']:.2f}" for side in sides)
            say(f"  round {number + 1} of {rounds}, seconds: {took}")
    return {
        name: Measured(facts[name], [answer["seconds"] for answer in told], told)
        for name, told in answers.items()
    }


def say(line: str) -> None:
    """A line of progress; results alone go to standard output."""
    print(line, file=sys.stderr, flush=True)


def _environment(threads: int) -> dict[str, str]:
    """That of this process, with the threads that every side has; they wait, and keep memory, as regard's do.

    What `regard` settles for itself (`regard/process.py`), peers are given, too.
    """
    number = str(threads)
    settled = {
        "GOMP_SPINCOUNT": SPINS,
        "MALLOC_TRIM_THRESHOLD_": str(KEPT),
        "MALLOC_MMAP_MAX_": "0",
    }
    return {**os.environ, "OMP_NUM_THREADS": number, "MKL_NUM_THREADS": number, **settled}
