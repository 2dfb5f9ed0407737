"""What a person sees of long work: a bar in a terminal, a line now and then elsewhere. All on stderr."""

import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

LINE_SECONDS = 10.0
_EVERY = 1024

T = TypeVar("T")


Report = Callable[[int], None]
"""Where the work says how many are done."""


def counted(count: int, noun: str, many: str = "") -> str:
    """So many of something, in words: 1 row, 2,000 rows, 3 entries."""
    return f"1 {noun}" if count == 1 else f"{count:,} {many or noun + 's'}"


def say(message: str, *, quiet: bool = False) -> None:
    """A line on stderr, unless quiet."""
    if not quiet:
        try:
            print(message, file=sys.stderr, flush=True)
        except BrokenPipeError:  # nobody listens any more: speak to nobody, also what is still held
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


@contextmanager
def warnings_said(*, quiet: bool = False) -> Iterator[None]:
    """What the library warns of meanwhile, in plain lines on stderr afterwards, unless quiet."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        yield
    for one in caught:
        say(str(one.message), quiet=quiet)


def track(
    items: Iterable[T],
    what: str,
    *,
    unit: str = "rows",
    total: int | None = None,
    every: int = _EVERY,
    quiet: bool = False,
) -> Iterator[T]:
    """The items, and on stderr how many have gone by, how fast, and how long it will take.

    every: how many go by before the time is looked at; few where each takes long
    """
    if quiet:
        yield from items
        return
    with (_bar if sys.stderr.isatty() else _lines)(what, unit, total) as report:
        done = 0
        for done, item in enumerate(items, start=1):
            yield item
            if done % every == 0:
                report(done)
        report(done)


@contextmanager
def _bar(what: str, unit: str, total: int | None) -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn(f"[bold]{what}"),
        BarColumn(bar_width=None),
        TaskProgressColumn(),
        TextColumn(f"{{task.completed:,.0f}} {unit}  {{task.fields[rate]:,.0f}}/s"),
        TimeRemainingColumn(),
    )
    begun = time.monotonic()
    with Progress(*columns, console=Console(stderr=True), expand=True, transient=True) as progress:
        task = progress.add_task(what, total=total, rate=0.0)

        def report(done: int) -> None:
            rate = done / max(1e-9, time.monotonic() - begun)
            progress.update(task, completed=done, rate=rate)

        yield report


@contextmanager
def _lines(what: str, unit: str, total: int | None) -> Iterator[Report]:
    begun = last = time.monotonic()

    def report(done: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < LINE_SECONDS:
            return
        last = now
        rate = done / (now - begun)
        left = f", {(total - done) / rate / 60:.1f} min left" if total else ""
        say(f"{what}: {done:,} {unit}, {rate:,.0f}/s{left}")

    yield report
