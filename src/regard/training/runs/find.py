"""Run folders in the places that a user names."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from regard.errors import StoreError
from regard.store.pointer import CHECKPOINTS
from regard.training.log import LOG

DEPTH = 4
"""How many levels below a folder runs are looked for."""


def find_runs(folders: Sequence[Path]) -> dict[str, Path]:
    """Runs by name, which is the path below the folder that all of them share. Each is named once."""
    found = {run.resolve(): run for folder in folders for run in _runs_of(folder)}
    shared = Path(os.path.commonpath([place.parent for place in found]))
    return {str(place.relative_to(shared)): run for place, run in found.items()}


def _runs_of(folder: Path) -> list[Path]:
    if not folder.is_dir():
        what = "found a file" if folder.exists() else "there is no such folder"
        raise StoreError(f"{folder}: expected a run folder, or a folder of them; {what}")
    found = list(_below(folder, DEPTH))
    if not found:
        raise StoreError(f"{folder}: holds no runs: there is no {LOG} in it, nor up to {DEPTH} levels below")
    return found


def _below(folder: Path, depth: int) -> Iterator[Path]:
    """Runs in a folder by name; a run holds no other runs."""
    if (folder / LOG).is_file():
        yield folder
    elif depth:
        for name in sorted(entry.name for entry in os.scandir(folder) if entry.is_dir()):
            if name != CHECKPOINTS and not name.startswith("."):
                yield from _below(folder / name, depth - 1)
