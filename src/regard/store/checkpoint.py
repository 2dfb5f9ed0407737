"""Checkpoints of a run: model folders with what is needed to go on, and one file that points at them.

    run.json                     {"format": 2, "best": folder or null, "last": folder}
    checkpoints/step-00000120/   config.json, model.safetensors, tokenizers, optimizer.safetensors,
                                 training.json, manifest.json

A checkpoint counts when `run.json` points at it: one rename makes it so.
"""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Any

import safetensors.torch
from safetensors import SafetensorError
from torch import Tensor

from regard.errors import StoreError
from regard.store.atomic import free_bytes, read_folder, write_file, write_folder
from regard.store.folder import CHECKPOINTS, POINTER, POINTER_FORMAT, StoredModel, files_of, model_of, pointed

OPTIMIZER, TRAINING = "optimizer.safetensors", "training.json"


@dataclass(frozen=True)
class Checkpoint:
    """A model and what is needed to train it on."""

    model: StoredModel
    optimizer: dict[str, Tensor]
    """The optimizer's state, by what it is and the name of its parameter."""
    progress: dict[str, Any]
    """Where the run stands: plain values."""


def write_checkpoint(run: Path, step: int, checkpoint: Checkpoint, *, best: bool) -> None:
    """Write a checkpoint, point at it, then remove those that nothing points at."""
    folder = _free_name(run / CHECKPOINTS, f"step-{step:08d}")
    pointers = pointed(run)
    files = files_of(checkpoint.model)
    files[OPTIMIZER] = safetensors.torch.save(checkpoint.optimizer)
    files[TRAINING] = json.dumps(checkpoint.progress, indent=1).encode()
    write_folder(folder, files)
    relative = str(folder.relative_to(run))
    pointers = {"best": relative if best else pointers.get("best"), "last": relative}
    write_file(run / POINTER, json.dumps({"format": POINTER_FORMAT, **pointers}) + "\n")
    _remove_others(run, pointers)


def _free_name(parent: Path, name: str) -> Path:
    """A step can be written twice: before its validation and after it, or again after damage was found."""
    names = chain([name], (f"{name}.{number}" for number in count(1)))
    return next(parent / free for free in names if not (parent / free).exists())


def read_checkpoint(run: Path) -> tuple[Checkpoint | None, list[str]]:
    """The last whole checkpoint of a run, and what was wrong with those after it."""
    problems: list[str] = []
    for folder in _candidates(run):
        try:
            files = read_folder(folder)
            return _checkpoint(folder, files), problems
        except StoreError as error:
            problems.append(str(error))
    return None, problems


def _checkpoint(folder: Path, files: dict[str, bytes]) -> Checkpoint:
    for name in (OPTIMIZER, TRAINING):
        if name not in files:
            raise StoreError(f"{folder}: {name} is missing")
    try:
        optimizer = safetensors.torch.load(files[OPTIMIZER])
        progress = json.loads(files[TRAINING])
    except (SafetensorError, ValueError, KeyError) as error:
        raise StoreError(f"{folder}: damaged: {error}") from None
    return Checkpoint(model_of(folder, files), optimizer, progress)


def _candidates(run: Path) -> Iterator[Path]:
    """The checkpoint that is pointed at as the last, then the others that are there, latest first."""
    last = pointed(run).get("last")
    first = run / str(last) if last else None
    if first is not None:
        yield first
    others = sorted((run / CHECKPOINTS).glob("step-*"), reverse=True)
    yield from (folder for folder in others if folder != first)


def _remove_others(run: Path, pointers: dict[str, str | None]) -> None:
    kept = {run / str(folder) for folder in pointers.values() if folder}
    for folder in (run / CHECKPOINTS).iterdir():
        if folder not in kept:
            shutil.rmtree(folder, ignore_errors=True)


def check_space(run: Path, needed: int) -> None:
    """Refuse to begin without room for two checkpoints: one is written before the other is removed."""
    free = free_bytes(run)
    if free < 2.2 * needed:
        raise StoreError(
            f"{run}: {free:,} bytes are free, {round(2.2 * needed):,} are needed for two checkpoints; "
            f"make room, or choose another folder"
        )
