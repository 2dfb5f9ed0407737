"""The log of a run: one JSON object per line, written as it happens. This module does not know torch.

The last entry of a line is the CRC-32 of what stands before it, and a checkpoint has the SHA-256 of the lines
that are older than it: a damaged line is refused by whoever reads it, and a run does not go on after one.
"""

import contextlib
import hashlib
import importlib.util
import json
import math
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from regard.errors import ConfigError, MissingExtraError, StoreError, did_you_mean
from regard.store.atomic import cannot_write

LOG = "log.jsonl"
LONGEST_LINE = 1 << 20
"""In bytes; the longest line of a real log is its first, with the recipe."""

BOOKKEEPING = frozenset({"event", "step", "epoch", "elapsed", "seconds", "best"})
"""What a step or a validation has beside its metrics."""

_DECODER = json.JSONDecoder()
_CHECKSUM, _CHECKSUM_BYTES = "crc32", len(b', "crc32": "01234567"}')

Event = dict[str, Any]
"""A line: `event` (start, step, validation, left_out or end), and its facts."""


def read_events(run: Path) -> Iterator[Event]:
    """The events of a run one by one, however long its log; a last line that is half written is left out."""
    path = run / LOG
    summed = False
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE), b""), start=1):
                event = _parsed(line)
                if event is None and not line.endswith(b"\n") and len(line) < LONGEST_LINE:
                    return
                if event is None:
                    found = line[:40].decode(errors="replace").strip()
                    wrong = f"expected a JSON object with an 'event', found {found!r}"
                elif not _is_whole(line, event) or (summed and _CHECKSUM not in event):
                    wrong = f"the line does not have the {_CHECKSUM} that was written with it"
                else:
                    summed = event.pop(_CHECKSUM, None) is not None  # lines of older versions have none
                    yield event
                    continue
                raise StoreError(f"{path}:{number}: damaged: {wrong}; put back a copy of the file")
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
    line = tail[tail.rfind(b"\n") + 1 :]
    last = _parsed(line)
    if last is None or last["event"] != "end":
        return None
    if not _is_whole(line, last):
        raise StoreError(
            f"{run / LOG}: damaged: its last line does not have the {_CHECKSUM} that was written with it; "
            f"put back a copy of the file"
        )
    return {name: fact for name, fact in last.items() if name not in ("event", _CHECKSUM)}


def _parsed(line: bytes) -> Event | None:
    """The event of a line; None if it has none. The beginning of an object is never an object."""
    try:
        text = line.decode()
        event, end = _DECODER.raw_decode(text)  # a fifth quicker than json.loads
    except (ValueError, RecursionError):
        return None
    is_event = isinstance(event, dict) and isinstance(event.get("event"), str)
    return event if is_event and not text[end:].strip() else None


def _summed(body: bytes) -> bytes:
    """A line, given what stands before its checksum: an object without its last brace."""
    return b'%s, "%s": "%08x"}' % (body, _CHECKSUM.encode(), zlib.crc32(body))


def _is_whole(line: bytes, event: Event) -> bool:
    """Whether a line is as it was written, as far as it says."""
    if _CHECKSUM not in event:
        return True
    return line.rstrip() == _summed(line.rstrip()[:-_CHECKSUM_BYTES])


def _is_no_number(fact: Any) -> bool:
    """NaN and infinity, which JSON does not have."""
    return isinstance(fact, float) and not math.isfinite(fact)


class Logger(Protocol):
    """Gets each line of the log."""

    def log(self, event: Event) -> None:
        """A line was written: `event["event"]` says of what, such as `step` or `validation`."""
        ...

    def flush(self) -> None:
        """A checkpoint is being written: keep what was logged."""
        ...

    def close(self) -> None:
        """There will be no more."""
        ...


class RunLog:
    """Appends to `log.jsonl` of a run folder, and passes each line to its loggers."""

    def __init__(self, run: Path, *, keep: int = 0, sha256: str = "") -> None:
        """Resume after the first `keep` bytes; what came after them belongs to work that is done again.

        sha256: of these bytes, as the checkpoint knows it; older ones do not
        """
        self.loggers: list[Logger] = []
        self._path = run / LOG
        try:
            self._file = self._path.open("ab+", buffering=0)  # what is written is there, or is an error
            self._hash = self._checked(keep, sha256)
            self._file.truncate(keep)
            self._bytes = self._file.seek(0, os.SEEK_END)
        except OSError as error:
            raise StoreError(f"{self._path}: cannot be written: {error.strerror}") from None

    def _checked(self, keep: int, sha256: str) -> "hashlib._Hash":
        """The hash of what is kept; refuse a log that is not the one that was written."""
        self._file.seek(0)
        found, left = hashlib.sha256(), keep
        while left and (block := self._file.read(min(left, LONGEST_LINE))):
            found.update(block)
            left -= len(block)
        if not left and sha256 in ("", found.hexdigest()):
            return found
        self._file.close()
        size = (
            f"it has {keep - left:,} bytes of the {keep:,}"
            if left
            else f"its first {keep:,} bytes are not those"
        )
        raise StoreError(
            f"{self._path}: damaged: {size} that the last checkpoint knows; put back a copy of it, or move "
            f"it away to resume with a new log"
        )

    def write(self, event: str, **facts: Any) -> None:
        """Add a line."""
        finite = {name: None if _is_no_number(fact) else fact for name, fact in facts.items()}
        line = {"event": event, **finite}
        self._append(_summed(json.dumps(line, ensure_ascii=False).encode()[:-1]) + b"\n")
        for logger in self.loggers:
            logger.log(line)

    def _append(self, line: bytes) -> None:
        """Write a whole line; of one that does not fit, nothing stays."""
        written = 0
        try:
            while written < len(line):
                written += self._file.write(line[written:]) or 0
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.truncate(self._bytes)
            raise cannot_write(self._path, error, len(line)) from None
        self._bytes += len(line)
        self._hash.update(line)

    def sync(self) -> tuple[int, str]:
        """See that everything is on the disk; how many bytes it is, and their SHA-256."""
        for logger in self.loggers:
            logger.flush()
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise cannot_write(self._path, error, self._bytes) from None
        return self._bytes, self._hash.hexdigest()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        for logger in self.loggers:
            logger.close()


FOLDER = "tensorboard"
TRAIN = (
    "loss", "guided_loss", "nll", "learning_rate", "gradient_norm", "tokens_per_second", "padding",
    "memory_mb",
)  # fmt: skip


class TensorBoard:
    """Scalars for TensorBoard, under `RUN/tensorboard/`."""

    def __init__(self, run: Path, kept_step: int) -> None:
        """Resume after `kept_step`; what was written of later steps is taken back.

        That step itself is read again from the log, for the log knows whether its validation counts. A run
        that had no event files before is told from its first step.
        """
        from torch.utils.tensorboard import SummaryWriter

        first = kept_step if (run / FOLDER).exists() else 0
        self._writer = SummaryWriter(run / FOLDER, purge_step=first)
        for event in read_events(run):
            if event.get("step", -1) >= first:
                self.log(event)

    def log(self, event: Event) -> None:
        """Write the scalars of a step or of a validation; a number that is none is left out."""
        if event["event"] == "step":
            scalars = {f"train/{name}": event.get(name) for name in TRAIN}
        elif event["event"] == "validation":
            scalars = {f"dev/{name}": event[name] for name in event.keys() - BOOKKEEPING}
        else:
            return
        for name, value in scalars.items():
            if value is not None:
                self._writer.add_scalar(name, value, event["step"])

    def flush(self) -> None:
        """Write out what waits."""
        self._writer.flush()

    def close(self) -> None:
        """Write out what waits, and end."""
        self._writer.close()


LoggerFactory = Callable[[Path, int], Logger]
"""Makes a logger of a run folder, and of the step after which the run resumes; 0 for a new run."""
LOGGERS: dict[str, LoggerFactory] = {"tensorboard": TensorBoard}


def find_loggers(names: Sequence[str]) -> list[LoggerFactory]:
    """The loggers that are called so; refuse, before any work, one that is not there."""
    for name in names:
        if name not in LOGGERS:
            raise ConfigError(f"loggers: unknown value '{name}'; {did_you_mean(name, LOGGERS)}")
        if name == "tensorboard" and importlib.util.find_spec("tensorboard") is None:
            raise MissingExtraError("writing for TensorBoard", "tensorboard")
    return [LOGGERS[name] for name in names]
