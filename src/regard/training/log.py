"""The log of a run: one JSON object a line, written as it happens."""

import json
import math
import os
import platform
from pathlib import Path
from typing import Any

import torch

from regard.errors import StoreError
from regard.version import __version__

LOG = "log.jsonl"


def versions() -> dict[str, str]:
    """What the result of a run depends on beside the recipe."""
    return {
        "regard": __version__,
        "torch": torch.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "threads": str(torch.get_num_threads()),
    }


def end_of_run(run: Path) -> dict[str, Any] | None:
    """What the log says of the end of a run; None if it has not come to its end."""
    try:
        *_, last = (run / LOG).read_text(encoding="utf-8").splitlines()
        event: dict[str, Any] = json.loads(last)
    except (OSError, ValueError):
        return None
    return (
        {name: fact for name, fact in event.items() if name != "event"} if event["event"] == "end" else None
    )


def _is_no_number(fact: Any) -> bool:
    """NaN and infinity, which JSON does not have."""
    return isinstance(fact, float) and not math.isfinite(fact)


class RunLog:
    """Appends to `log.jsonl` of a run folder."""

    def __init__(self, run: Path, *, keep: int = 0) -> None:
        """Go on after the first `keep` bytes; what came after them belongs to work that is done again."""
        try:
            self._file = (run / LOG).open("ab")
            self._file.truncate(min(keep, self._file.tell()))
            self._file.seek(0, os.SEEK_END)
        except OSError as error:
            raise StoreError(f"{run / LOG}: cannot be written: {error.strerror}") from None

    def write(self, event: str, **facts: Any) -> None:
        """Add a line."""
        finite = {name: None if _is_no_number(fact) else fact for name, fact in facts.items()}
        self._file.write((json.dumps({"event": event, **finite}, ensure_ascii=False) + "\n").encode())
        self._file.flush()

    def sync(self) -> int:
        """See that everything is on the disk; how many bytes it is."""
        os.fsync(self._file.fileno())
        return self._file.tell()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
