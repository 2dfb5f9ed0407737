"""Which folders of a run count: one file points at them. This module does not know torch.

    run.json                     {"format": 4, "best": folder or null, "last": folder, "checkpoints": [...],
                                 "sha256": of all that}
    checkpoints/step-00000120/   a folder with its manifest

A checkpoint counts when `run.json` points at it: one rename makes it so, and whatever goes wrong before that
leaves the run as it was.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regard.errors import StoreError
from regard.store.atomic import write_file, write_folder

if TYPE_CHECKING:  # else whoever looks for a model would wait for pydantic
    from regard.config.training import KeepConfig

POINTER, CHECKPOINTS = "run.json", "checkpoints"
POINTER_FORMAT = 4
_POINTER_BYTES = 4 * 2**20
"""Far more than the entries of any run take."""
_OWN = ("step-", "average-", ".step-", ".average-")
"""How the names begin of what is written here; anything else in the folder is a user's."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A checkpoint that is kept."""

    folder: str
    """Its path within the run folder."""
    step: int
    score: float | None
    """What it reached on the dev set, higher = better; None where it was not measured."""


@dataclass(frozen=True, slots=True)
class Pointers:
    """What `run.json` says."""

    best: str | None = None
    """The folder of the run's best model, within the run folder."""
    last: str | None = None
    checkpoints: tuple[Entry, ...] = ()
    """Everything that is kept, in the order of the steps."""

    def top(self, number: int) -> list[Entry]:
        """The checkpoints that did best, best first; of equals the earlier."""
        measured = [entry for entry in self.checkpoints if entry.score is not None]
        return sorted(measured, key=lambda entry: (-(entry.score or 0.0), entry.step))[:number]

    def latest(self, number: int) -> list[Entry]:
        """The last checkpoints that were measured, in their order."""
        return [entry for entry in self.checkpoints if entry.score is not None][-number:]


class DamagedPointerError(StoreError):
    """`run.json` is damaged."""


def read_pointers(run: Path) -> Pointers:
    """What `run.json` points at; nothing where there is none."""
    path = run / POINTER
    if not path.is_file():
        return Pointers()
    try:
        version, values = _read(path)
        pointers = _READERS[version](values) if version in _READERS else None
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DamagedPointerError(f"{path}: damaged; name a folder under {run / CHECKPOINTS}") from None
    if pointers is None:
        raise StoreError(
            f"{path}: has format {version}, this regard reads up to {POINTER_FORMAT}; use a newer regard"
        )
    for folder in (pointers.best, pointers.last, *(entry.folder for entry in pointers.checkpoints)):
        try:
            if folder is not None and not (run / folder).resolve().is_relative_to(run.resolve()):
                raise StoreError(f"{path}: points out of the run folder")
        except RuntimeError:  # which Python 3.13 does not raise any more
            raise StoreError(f"{path}: points at a link that leads to itself") from None
    return pointers


def _read(path: Path) -> tuple[int, dict[str, Any]]:
    """The format, and all that is said."""
    if path.stat().st_size > _POINTER_BYTES:
        raise ValueError(POINTER)
    values = json.loads(path.read_text(encoding="utf-8"))
    version = values["format"]
    if type(version) is not int:
        raise TypeError(POINTER)
    return version, values


def _format_2(values: dict[str, Any]) -> Pointers:
    """Runs of regard 0.1 until checkpoints were listed."""
    return Pointers(_folder(values["best"]), _folder(values["last"]))


def _format_3(values: dict[str, Any]) -> Pointers:
    entries = tuple(_entry(entry) for entry in values["checkpoints"])
    return Pointers(_folder(values["best"]), _folder(values["last"]), entries)


def _format_4(values: dict[str, Any]) -> Pointers:
    if values.pop("sha256") != _hash(values):
        raise ValueError(POINTER)
    return _format_3(values)


_READERS = {2: _format_2, 3: _format_3, 4: _format_4}


def _hash(values: dict[str, Any]) -> str:
    """Of what is said, however it is written."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def _entry(values: dict[str, Any]) -> Entry:
    entry = Entry(**values)
    if _folder(entry.folder) is None or type(entry.step) is not int:
        raise TypeError("not an entry")
    if entry.score is not None and type(entry.score) not in (int, float):
        raise TypeError("not a score")
    return entry


def _folder(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not value.isprintable():  # half a character, or one that ends a path
        raise TypeError("not a path")
    return value


def commit(
    run: Path,
    step: int,
    files: Mapping[str, bytes],
    *,
    best: bool,
    score: float | None = None,
    keep: "KeepConfig | None" = None,
) -> None:
    """Write a checkpoint, point at it, then remove what need not be kept.

    best:  whether it is the run's best model from now on
    score: on the dev set, higher = better; None if it was not measured
    keep:  what is kept besides the best, this one and the last before it
    """
    folder = _free_name(run / CHECKPOINTS, f"step-{step:08d}")
    before = read_pointers(run)
    if before.last is None:  # a first checkpoint, too, counts when it is pointed at, not when it is there
        write_pointers(run, Pointers())
    write_folder(folder, files)
    own = str(folder.relative_to(run))
    # Of this step there is a newer state now; later ones belong to work that is done again after damage.
    known = [entry for entry in before.checkpoints if entry.step < step]
    if score is None:  # what this step was measured with, if it was, is still true
        score = next((entry.score for entry in before.checkpoints if entry.step == step), None)
    now = Pointers(own if best else before.best, own, (*known, Entry(own, step, score)))
    # The last one before stays, too: if this one is damaged one day, the run can resume from there.
    stay = {now.best, own, before.last} | _chosen(now, keep)
    entries = tuple(entry for entry in now.checkpoints if entry.folder in stay)
    write_pointers(run, Pointers(now.best, own, entries))
    _remove_others(run, [folder for folder in stay if folder])


def commit_best(run: Path, name: str, files: Mapping[str, bytes]) -> None:
    """Write a model that is no step of the run, such as an average, and point at it as the best."""
    folder = _free_name(run / CHECKPOINTS, name)
    before = read_pointers(run)
    write_folder(folder, files)
    best = str(folder.relative_to(run))
    write_pointers(run, Pointers(best, before.last, before.checkpoints))
    _remove_others(run, [best, before.last or "", *(entry.folder for entry in before.checkpoints)])


def _chosen(pointers: Pointers, keep: "KeepConfig | None") -> set[str | None]:
    """What the recipe wants to be kept; one that says nothing, the best."""
    if keep is None:
        return {entry.folder for entry in pointers.top(1)}
    entries = [*pointers.top(keep.best), *(pointers.latest(keep.last) if keep.last else [])]
    if keep.every is not None:
        entries += [entry for entry in pointers.checkpoints if entry.step % keep.every == 0]
    return {entry.folder for entry in entries}


def write_pointers(run: Path, pointers: Pointers) -> None:
    """Write `run.json`."""
    values = {"format": POINTER_FORMAT, **asdict(pointers)}
    write_file(run / POINTER, json.dumps({**values, "sha256": _hash(values)}, indent=1) + "\n")


def _remove_others(run: Path, stay: Sequence[str]) -> None:
    """Remove checkpoints that are not kept, and what killed processes left; the lock keeps others away."""
    kept = {run / folder for folder in stay}
    for left in run.glob(f".{POINTER}.*.tmp"):
        left.unlink(missing_ok=True)
    for other in (run / CHECKPOINTS).iterdir():
        if other not in kept and other.name.startswith(_OWN):
            shutil.rmtree(other, ignore_errors=True)


def candidates(run: Path) -> Iterator[Path]:
    """The checkpoint that is pointed at as the last, then the others that are there, latest first."""
    last = read_pointers(run).last
    if last is None and (run / POINTER).is_file():
        return  # the first was being written
    first = run / last if last else None
    if first is not None:
        yield first
    others = sorted((run / CHECKPOINTS).glob("step-*"), reverse=True)
    yield from (folder for folder in others if folder != first)


def _free_name(parent: Path, name: str) -> Path:
    """A step can be written twice: before its validation and after it, or again after damage was found."""
    names = chain([name], (f"{name}.{number}" for number in count(1)))
    return next(parent / free for free in names if not (parent / free).exists())
