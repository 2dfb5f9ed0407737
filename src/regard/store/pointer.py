"""Which folders of a run count: one file points at the best and the last. This module does not know torch.

    run.json                     {"format": 2, "best": folder or null, "last": folder or null}
    checkpoints/step-00000120/   a folder with its manifest

A checkpoint counts when `run.json` points at it: one rename makes it so, and whatever goes wrong before that
leaves the run as it was.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from itertools import chain, count
from pathlib import Path

from regard.errors import StoreError
from regard.store.atomic import write_file, write_folder

POINTER, CHECKPOINTS = "run.json", "checkpoints"
POINTER_FORMAT = 2


def pointed(run: Path) -> dict[str, str | None]:
    """What `run.json` points at, as paths within the run folder: best and last."""
    path = run / POINTER
    if not path.is_file():
        return {}
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        version, folders = values["format"], {name: values[name] for name in ("best", "last")}
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise StoreError(f"{path}: damaged; name a folder under {run / CHECKPOINTS}") from None
    if version != POINTER_FORMAT:
        raise StoreError(f"{path}: has format {version}, this regard reads {POINTER_FORMAT}")
    for folder in folders.values():
        if folder is not None and not (run / str(folder)).resolve().is_relative_to(run.resolve()):
            raise StoreError(f"{path}: points out of the run folder")
    return folders


def commit(run: Path, name: str, files: Mapping[str, bytes], *, best: bool) -> None:
    """Write a checkpoint, point at it, then remove all but the best, this one and the last before it."""
    folder = _free_name(run / CHECKPOINTS, name)
    before = pointed(run)
    if not before:  # a first checkpoint, too, counts when it is pointed at, and not as soon as it is there
        _point(run, {"best": None, "last": None})
    write_folder(folder, files)
    relative = str(folder.relative_to(run))
    pointers = {"best": relative if best else before.get("best"), "last": relative}
    _point(run, pointers)
    # The last one before stays, too: if this one is damaged one day, the run can go on from there.
    kept = {run / str(folder) for folder in (*pointers.values(), before.get("last")) if folder}
    for other in (run / CHECKPOINTS).iterdir():
        if other not in kept:
            shutil.rmtree(other, ignore_errors=True)


def candidates(run: Path) -> Iterator[Path]:
    """The checkpoint that is pointed at as the last, then the others that are there, latest first."""
    pointers = pointed(run)
    if pointers and pointers["last"] is None:
        return
    first = run / str(pointers["last"]) if pointers else None
    if first is not None:
        yield first
    others = sorted((run / CHECKPOINTS).glob("step-*"), reverse=True)
    yield from (folder for folder in others if folder != first)


def _point(run: Path, pointers: Mapping[str, str | None]) -> None:
    write_file(run / POINTER, json.dumps({"format": POINTER_FORMAT, **pointers}) + "\n")


def _free_name(parent: Path, name: str) -> Path:
    """A step can be written twice: before its validation and after it, or again after damage was found."""
    names = chain([name], (f"{name}.{number}" for number in count(1)))
    return next(parent / free for free in names if not (parent / free).exists())
