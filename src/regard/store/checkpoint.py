"""Checkpoints of a run: model folders with the trainer state, to resume from."""

import contextlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from torch import Tensor

from regard.config.training import KeepConfig
from regard.errors import StoreError
from regard.store.atomic import Listing, free_bytes, list_folder, verify_folder
from regard.store.files import JSON_BYTES
from regard.store.folder import StoredModel, files_of, model_of
from regard.store.pointer import CHECKPOINTS, Entry, Pointers, candidates, commit, write_pointers
from regard.store.tensors import headers
from regard.store.weights import loaded, saved

OPTIMIZER, TRAINING = "optimizer.safetensors", "training.json"
TRAINING_FORMAT = 1
_SCORE = "score"
"""What `run.json` says of a checkpoint, so that it can be rebuilt."""


@dataclass(frozen=True)
class Checkpoint:
    """A model with the state of its training."""

    model: StoredModel
    optimizer: dict[str, Tensor]
    """The optimizer's state, by what it is and the name of its parameter."""
    progress: dict[str, Any]
    """The progress of the run: plain values."""


def write_checkpoint(
    run: Path,
    step: int,
    checkpoint: Checkpoint,
    *,
    best: bool,
    score: float | None = None,
    keep: KeepConfig | None = None,
) -> None:
    """Write a checkpoint; when this returns, it is the last one, and the best if it is said to be."""
    files = files_of(checkpoint.model)
    files[OPTIMIZER] = saved(checkpoint.optimizer, OPTIMIZER)
    facts = {"format": TRAINING_FORMAT, **checkpoint.progress, _SCORE: score}
    files[TRAINING] = json.dumps(facts, indent=1).encode()
    commit(run, step, files, best=best, score=score, keep=keep)


def read_checkpoint(run: Path) -> tuple[Checkpoint | None, list[str]]:
    """The last whole checkpoint of a run, and what was wrong with those after it."""
    problems: list[str] = []
    for folder in candidates(run):
        try:
            return _checkpoint(list_folder(folder)), problems
        except StoreError as error:
            problems.append(str(error))
    return None, problems


def _checkpoint(files: Listing) -> Checkpoint:
    """The whole of it is read: what is damaged is known before anything is built on it."""
    folder = files.folder
    for name in (OPTIMIZER, TRAINING):
        if name not in files:
            raise StoreError(f"{folder}: {name} is missing")
    model = model_of(files)
    model = replace(model, weights=dict(model.weights))
    try:
        progress = dict(json.loads(files.read(TRAINING, JSON_BYTES)))
    except (ValueError, TypeError, RecursionError) as error:
        raise StoreError(f"{folder / TRAINING}: damaged: {error}") from None
    progress.pop(_SCORE, None)
    version = progress.pop("format", 1)  # the first runs did not say
    if version != TRAINING_FORMAT:
        raise StoreError(
            f"{folder / TRAINING}: has format {version}, this regard reads up to {TRAINING_FORMAT}; "
            f"use a newer regard"
        )
    headers(folder / OPTIMIZER)
    return Checkpoint(model, loaded(files.read(OPTIMIZER), folder / OPTIMIZER), progress)


def rewrite_pointers(run: Path) -> None:
    """Write a `run.json` that is damaged or missing from what the whole checkpoints say of themselves.

    Older versions did not write the score of a checkpoint into it: such a one is as if it was not measured.
    """
    found: dict[int, tuple[Entry, dict[str, Any]]] = {}
    for folder in sorted((run / CHECKPOINTS).glob("step-*")):
        try:
            verify_folder(folder)
            facts = dict(json.loads(list_folder(folder).read(TRAINING, JSON_BYTES)))
            score = facts.get(_SCORE)
            if score is None and facts["step"] in found:  # what the step was measured with is still true
                score = found[facts["step"]][0].score
            entry = Entry(str(folder.relative_to(run)), facts["step"], score)
        except (StoreError, ValueError, KeyError, TypeError):
            continue
        found[entry.step] = entry, facts  # of one step the later
    if not found:
        raise StoreError(f"{run}: none of its checkpoints is whole; move the folder away to begin again")
    last, facts = found[max(found)]
    best = found.get(facts.get("best_step", 0))
    if facts.get("best") is not None and best is None:
        raise StoreError(
            f"{run}: the best checkpoint, of step {facts.get('best_step')}, is not whole; move the folder "
            f"away to begin again"
        )
    entries = tuple(found[step][0] for step in sorted(found))
    chosen = _averaged(run) or (best[0].folder if best else None)
    write_pointers(run, Pointers(chosen, last.folder, entries))


def _averaged(run: Path) -> str | None:
    """The newest whole model that is no step of the run: an average is made last, and is the best."""
    for folder in sorted((run / CHECKPOINTS).iterdir(), reverse=True):
        if not folder.name.startswith("step-"):
            with contextlib.suppress(StoreError):
                verify_folder(folder)
                return str(folder.relative_to(run))
    return None


def check_space(run: Path, size: int, most: int) -> None:
    """Refuse to begin without room for the most checkpoints of this size, in bytes, that can be there."""
    free, needed = free_bytes(run), round(1.05 * most * size)
    there = sum(path.stat().st_size for path in (run / CHECKPOINTS).rglob("*") if path.is_file())
    if free + there < needed:
        raise StoreError(
            f"{run}: {free:,} bytes are free, {needed:,} are needed for {most} checkpoints; "
            f"make room, choose another folder, or see training.keep"
        )
