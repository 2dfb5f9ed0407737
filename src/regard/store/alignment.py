"""Which heads of a translator align words: `alignment.json` in its folder, which the manifest covers.

    {"format": 1, "heads": [{"path": "decoder.1.cross", "head": 2}], "shift": 1, "chosen": {"by": "aer", …}}

This module does not know torch.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from regard.errors import StoreError
from regard.store.atomic import ALIGNMENT, MANIFEST, Listing, check_writable, list_folder, replace_file
from regard.store.files import JSON_BYTES
from regard.store.resolve import find_model

ALIGNMENT_FORMAT = 1
SHIFTS = (-1, 0, 1)


@dataclass(frozen=True, slots=True)
class Head:
    """One head of a cross-attention."""

    path: str
    """The dotted path of the attention in the model."""
    head: int | None = None
    """Counted from 0; None where there is only one."""

    def __str__(self) -> str:
        return self.path if self.head is None else f"{self.path} head {self.head}"


@dataclass(frozen=True, slots=True)
class AlignmentHeads:
    """The heads whose mean aligns the words of a model, and where the row of a target token is."""

    heads: tuple[Head, ...]
    shift: int = 0
    """Token t is read in row t + shift: with 1 in the row where it is fed, with 0 where it is predicted."""
    chosen: dict[str, Any] = field(default_factory=dict, compare=False)
    """How they were found: plain values."""

    def __str__(self) -> str:
        count = len(self.heads)
        named = ", ".join(map(str, self.heads)) if count <= _NAMED else f"{count} heads"
        mean = "mean of " if count > 1 else ""
        return f"{mean}{named}" + (f", row t{self.shift:+d}" if self.shift else "")

    def to_json(self) -> str:
        """The content of the file."""
        heads = [{"path": one.path, **({} if one.head is None else {"head": one.head})} for one in self.heads]
        values = {"format": ALIGNMENT_FORMAT, "heads": heads, "shift": self.shift, "chosen": self.chosen}
        return json.dumps(values, indent=1, ensure_ascii=False) + "\n"


_NAMED = 4
"""Heads that are named one by one."""


def alignment_of(files: Listing) -> AlignmentHeads | None:
    """The choice that a folder holds; None where there is none."""
    if ALIGNMENT not in files:
        return None
    where, cure = files.folder / ALIGNMENT, f"`regard align {files.folder} --forget-heads` removes it"
    try:
        content = files.read(ALIGNMENT, JSON_BYTES)
    except StoreError as error:
        raise StoreError(f"{error}; {cure}") from None
    try:
        values = json.loads(content)
        version = values["format"]
        if version == ALIGNMENT_FORMAT:
            return _parsed(values)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise StoreError(f"{where}: damaged; {cure}") from None
    raise StoreError(f"{where}: has format {version}, this regard reads {ALIGNMENT_FORMAT}; use a newer one")


def _parsed(values: dict[str, Any]) -> AlignmentHeads:
    heads = tuple(Head(one["path"], one.get("head")) for one in values["heads"])
    plain = all(isinstance(one.path, str) and (one.head is None or type(one.head) is int) for one in heads)
    if not heads or not plain or values["shift"] not in SHIFTS or not isinstance(values["chosen"], dict):
        raise ValueError(ALIGNMENT)
    return AlignmentHeads(heads, values["shift"], values["chosen"])


def check_keeps(path: Path) -> None:
    """Refuse a folder that cannot keep a choice, before there is one."""
    check_writable(_own_folder(path))


def store_alignment(path: Path, heads: AlignmentHeads) -> Path:
    """Keep a choice in the folder of a model, or of a run's best one; gives the file."""
    folder = _own_folder(path)
    replace_file(folder, ALIGNMENT, heads.to_json().encode())
    return folder / ALIGNMENT


def forget_alignment(path: Path) -> bool:
    """Remove the choice; False where there is none."""
    folder = _own_folder(path)
    if ALIGNMENT not in list_folder(folder, check=False):
        return False
    replace_file(folder, ALIGNMENT, None)
    return True


def _own_folder(path: Path) -> Path:
    if (path / "config.json").is_file() and not (path / MANIFEST).is_file():
        raise StoreError(
            f"{path}: is a folder of another library, and no choice is kept there; first `regard import "
            f"{path} FOLDER`"
        )
    return find_model(path)
