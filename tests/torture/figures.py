"""What a long run of the tests has counted, as a file: `results/torture.json`."""

import json
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from regard.training.versions import versions


class Figures:
    """Counts by requirement, added up over all tests."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}
        self._begun = time.monotonic()

    def add(self, requirement: str, **counts: int) -> None:
        """Count what was seen; a count of zero is worth telling, too."""
        found = self._counts.setdefault(requirement, Counter())
        for name, count in counts.items():
            found[name] += count

    def record(self, failed: int, note: str) -> dict[str, Any]:
        """Everything, and what it depends on.

        note: what a reader must know of the run, such as that it did not come to its end
        """
        order = sorted(self._counts, key=lambda name: int(name[1:]))
        return {
            "date": datetime.now(UTC).date().isoformat(),
            "versions": versions(),
            "seconds": round(time.monotonic() - self._begun),
            "failed_tests": failed,
            "note": note,
            "requirements": {name: dict(self._counts[name]) for name in order},
        }

    def write(self, path: Path, failed: int, note: str) -> None:
        path.write_text(json.dumps(self.record(failed, note), indent=1) + "\n", encoding="utf-8")
