"""A folder of data: which of its files is train, dev and test."""

import os
from pathlib import Path
from typing import Any

from regard.config.data import ENDINGS
from regard.errors import DataError

SPLITS = {"train": ("train",), "dev": ("dev", "valid", "validation", "val"), "test": ("test",)}
"""What the files of each part may be called."""


def find_splits(folder: str, source: str = "", target: str = "") -> dict[str, Any]:
    """The corpora of a folder by split, as a recipe would write them.

    One file a split in any format that can be read, such as train.tsv.gz; or, where the languages are
    given, one plain file for each, such as train.ko and train.en.
    """
    place = Path(os.path.expandvars(folder)).expanduser()
    if not place.is_dir():
        found = "found a file" if place.exists() else "there is none"
        raise DataError(f"{folder}: expected a folder with train and dev files such as train.tsv, {found}")
    splits: dict[str, Any] = {}
    for split, names in SPLITS.items():
        corpora = [found for name in names if (found := _corpus(place, folder, name, source, target))]
        if corpora:
            splits[split] = corpora[0]
    return splits


def _corpus(place: Path, written: str, name: str, source: str, target: str) -> Any:
    """The corpus of this name, or None."""
    for ending in ENDINGS:
        for file in (name + ending, name + ending + ".gz"):
            if (place / file).is_file():
                return f"{written.rstrip('/')}/{file}"
    for gz in ("", ".gz"):
        sides = [f"{name}.{side}{gz}" for side in (source, target)]
        if source and target and all((place / side).is_file() for side in sides):
            paths = [f"{written.rstrip('/')}/{side}" for side in sides]
            return {"kind": "parallel", "source_path": paths[0], "target_path": paths[1]}
    return None
