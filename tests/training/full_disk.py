"""A disk that fills up while a model trains: run as a program by test_disk_full.py.

    python -m tests.training.full_disk RUN limit PART    files may not grow beyond a limit (no rights needed)
    python -m tests.training.full_disk RUN tmpfs PART    RUN is on a small disk, which is filled

PART is what does not fit any more: checkpoint, or log.
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
from regard.tasks.translation.trainer import TranslationTrainer

LIMIT = 2000
LINE_AND_HALF = 400
LONG = ["data.train.rows=200", "training.validations_per_epoch=1"]
"""More lines between two checkpoints than fit into a block of a disk."""
FILLER = "filler"


def fill(run: Path, how: str, part: str) -> None:
    """Leave room for some files of a checkpoint, and not for all; or for a line and a half of the log."""
    if how == "limit":
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        log = (run / "log.jsonl").stat().st_size
        resource.setrlimit(
            resource.RLIMIT_FSIZE, (LIMIT if part == "checkpoint" else log + LINE_AND_HALF, most)
        )
        return
    with (run / FILLER).open("wb", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(4096))
        except OSError:
            if part == "checkpoint":
                filler.truncate(filler.tell() - 4 * 4096)


def hashes(run: Path) -> dict[str, str]:
    files = [path for path in (run / "checkpoints").rglob("*") if path.is_file()]
    pointer = [run / "run.json"]
    return {
        str(path.relative_to(run)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files + pointer
    }


def main() -> None:
    run, how, part = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    seen: dict[str, Any] = {}
    save = TranslationTrainer.save

    def in_a_full_disk(self: TranslationTrainer, kept: Any, *, best: bool, score: float | None) -> None:
        if part == "checkpoint" and (run / "run.json").exists():
            seen["before"] = hashes(run)
            fill(run, how, part)
        save(self, kept, best=best, score=score)
        if part == "log":
            seen["before"] = hashes(run)
            fill(run, how, part)

    TranslationTrainer.save = in_a_full_disk  # type: ignore[assignment, method-assign]
    try:
        train(run, *(LONG if part == "log" else []))
    except StoreError as error:
        seen["message"] = str(error)
    seen["log"] = (run / "log.jsonl").read_text(encoding="utf-8")
    print(json.dumps({**seen, "after": hashes(run)}))


if __name__ == "__main__":
    main()
