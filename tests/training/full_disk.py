"""A disk that fills up while a model trains: run as a program by test_disk_full.py.

    python -m tests.training.full_disk RUN limit     files may not grow beyond a limit (no rights needed)
    python -m tests.training.full_disk RUN tmpfs     RUN is on a small disk, which is filled

Prints how the training ended, and the SHA-256 of every checkpoint file before and after, as JSON.
"""

import hashlib
import json
import resource
import sys
from pathlib import Path
from typing import Any

from tests.training.tiny import train

from regard.errors import StoreError
from regard.training.translation import TranslationTraining

LIMIT = 2000
FILLER = "filler"


def fill(run: Path, how: str) -> None:
    """Leave room for some files of a checkpoint, and not for all."""
    if how == "limit":
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, most))
        return
    with (run / FILLER).open("wb", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(4096))
        except OSError:
            filler.truncate(filler.tell() - 4 * 4096)


def hashes(run: Path) -> dict[str, str]:
    files = [path for path in (run / "checkpoints").rglob("*") if path.is_file()]
    pointer = [run / "run.json"]
    return {
        str(path.relative_to(run)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files + pointer
    }


def main() -> None:
    run, how = Path(sys.argv[1]), sys.argv[2]
    seen: dict[str, Any] = {}
    save = TranslationTraining.save

    def in_a_full_disk(self: TranslationTraining, kept: Any, *, best: bool, score: float | None) -> None:
        if (run / "run.json").exists():
            seen["before"] = hashes(run)
            fill(run, how)
        save(self, kept, best=best, score=score)

    TranslationTraining.save = in_a_full_disk  # type: ignore[assignment, method-assign]
    try:
        train(run)
    except StoreError as error:
        seen["message"] = str(error)
    print(json.dumps({**seen, "after": hashes(run)}))


if __name__ == "__main__":
    main()
