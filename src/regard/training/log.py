"""The log of a run: one JSON object a line, written as it happens. This module does not know torch."""

import json
import math
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from regard.errors import StoreError

LOG = "log.jsonl"
LONGEST_LINE = 1 << 20
"""In bytes; the longest line of a real log is its first, with the recipe."""

BOOKKEEPING = frozenset({"event", "step", "epoch", "elapsed", "seconds", "best"})
"""What a step or a validation says beside its measures."""

_DECODER = json.JSONDecoder()

Event = dict[str, Any]
"""A line: `event` (start, step, validation, left_out or end), and its facts."""


def read_events(run: Path) -> Iterator[Event]:
    """The events of a run one by one, however long its log; a last line that is half written is left out."""
    path = run / LOG
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE), b""), start=1):
                event = _parsed(line)
                if event is not None:
                    yield event
                elif line.endswith(b"\n") or len(line) == LONGEST_LINE:
                    found = line[:40].decode(errors="replace").strip()
                    raise StoreError(
                        f"{path}:{number}: damaged: expected a JSON object with an 'event', found {found!r}"
                    )
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from None


def end_of_run(run: Path) -> Event | None:
    """What the log says of the end of a run; None if it has not come to its end."""
    try:
        with (run / LOG).open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - LONGEST_LINE))
            tail = file.read().rstrip(b"\n")
    except OSError:
        return None
    last = _parsed(tail[tail.rfind(b"\n") + 1 :])
    if last is None or last["event"] != "end":
        return None
    return {name: fact for name, fact in last.items() if name != "event"}


def _parsed(line: bytes) -> Event | None:
    """The event that a line tells; None if it tells none. The beginning of an object is never an object."""
    try:
        text = line.decode()
        event, end = _DECODER.raw_decode(text)  # a fifth quicker than json.loads
    except (ValueError, RecursionError):
        return None
    is_event = isinstance(event, dict) and isinstance(event.get("event"), str)
    return event if is_event and not text[end:].strip() else None


def _is_no_number(fact: Any) -> bool:
    """NaN and infinity, which JSON does not have."""
    return isinstance(fact, float) and not math.isfinite(fact)


class Listener(Protocol):
    """Who is told what the log is told."""

    def hear(self, event: Event) -> None:
        """A line was written."""
        ...

    def flush(self) -> None:
        """A checkpoint is being written: keep what was heard."""
        ...

    def close(self) -> None:
        """There will be no more."""
        ...


class RunLog:
    """Appends to `log.jsonl` of a run folder, and tells its listeners."""

    def __init__(self, run: Path, *, keep: int = 0) -> None:
        """Go on after the first `keep` bytes; what came after them belongs to work that is done again."""
        self.listeners: list[Listener] = []
        try:
            self._file = (run / LOG).open("ab")
            self._file.truncate(min(keep, self._file.tell()))
            self._file.seek(0, os.SEEK_END)
        except OSError as error:
            raise StoreError(f"{run / LOG}: cannot be written: {error.strerror}") from None

    def write(self, event: str, **facts: Any) -> None:
        """Add a line."""
        finite = {name: None if _is_no_number(fact) else fact for name, fact in facts.items()}
        line = {"event": event, **finite}
        self._file.write((json.dumps(line, ensure_ascii=False) + "\n").encode())
        self._file.flush()
        for listener in self.listeners:
            listener.hear(line)

    def sync(self) -> int:
        """See that everything is on the disk; how many bytes it is."""
        for listener in self.listeners:
            listener.flush()
        os.fsync(self._file.fileno())
        return self._file.tell()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        for listener in self.listeners:
            listener.close()
