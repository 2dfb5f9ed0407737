"""Resolve the folder that a user names to a model folder. This module knows neither torch nor recipes."""

import difflib
import re
from pathlib import Path

from regard.errors import StoreError
from regard.store.atomic import MANIFEST
from regard.store.pointer import CHECKPOINTS, POINTER, read_pointers

_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_OF_OTHERS = ("config.json", "modules.json")
"""What folders of other libraries have: of those, their readers know more."""


def find_model(path: Path) -> Path:
    """The folder that holds the model itself: this one, or the best that a run points at."""
    if (path / MANIFEST).is_file():
        return path
    if (path / POINTER).is_file():
        pointers = read_pointers(path)
        if pointers.best:
            return path / pointers.best
        last = f"; the last checkpoint is {path / pointers.last}" if pointers.last else ""
        raise StoreError(
            f"{path}: no validation of the run has given a score, so there is no best model yet{last}"
        )
    if not path.exists():
        raise no_such_folder(path)
    if (path / CHECKPOINTS).is_dir():
        command = f"regard train {path / 'recipe.yaml'} --out {path}"
        raise StoreError(f"{path}: {POINTER} is missing; `{command}` makes it anew from the checkpoints")
    raise StoreError(
        f"{path}: expected a model folder ({MANIFEST}) or a run folder ({POINTER}), found neither"
    )


def check_model(path: Path) -> None:
    """Refuse what holds no model, before anything is imported that could read one."""
    if not any((path / name).is_file() for name in _OF_OTHERS):
        find_model(path)


def check_system(path: Path) -> None:
    """The same where a file of outputs may stand for a model."""
    if not path.exists():
        raise StoreError(f"{path}: there is no such model folder, nor such a file of outputs")
    if path.is_dir():
        check_model(path)


def check_importable(path: Path) -> None:
    """Refuse what holds no model, of another library or of regard."""
    if not any((path / name).is_file() for name in (*_OF_OTHERS, MANIFEST, POINTER)):
        raise check_own_format(path)


def check_own_format(path: Path) -> StoreError:
    """The error for what is no folder of another library."""
    if not path.exists():
        return StoreError(
            f"{path}: no such folder; a model of the Hugging Face hub has a name of the form OWNER/NAME"
        )
    found = "neither" if path.is_dir() else "a file"
    return StoreError(
        f"{path}: expected a folder with the config.json of transformers or Marian, which says a model_type, "
        f"or with the modules.json of sentence-transformers; found {found}"
    )


def is_hub_name(text: str) -> bool:
    """Whether this can be the name of a model of the hub: owner/name, where there is no such path."""
    return _NAME.fullmatch(text) is not None and not Path(text).exists()


def no_such_folder(path: Path) -> StoreError:
    """The error for a model folder that is not there: the nearest that is, or how to get one."""
    near = _nearest(path)
    if near is not None:
        return StoreError(f"{path}: no such folder; did you mean {near}?")
    if is_hub_name(str(path)) and not path.parent.exists():
        return StoreError(
            f"{path}: no such folder; a model of the Hugging Face hub is fetched first: regard import {path} "
            f"{path.name}"
        )
    return StoreError(
        f"{path}: no such folder; `regard train RECIPE --out {path}` makes one, "
        f"`regard import OWNER/NAME {path}` fetches one from the Hugging Face hub"
    )


def _nearest(path: Path) -> Path | None:
    """A model folder beside it with nearly this name; of a name of the hub, the last part counts, too."""
    for parent in (path.parent, Path()):
        try:
            there = {each.name: each for each in parent.iterdir() if _is_model(each)}
        except OSError:
            continue
        found = difflib.get_close_matches(path.name, there, n=1, cutoff=0.7)
        if found:
            return there[found[0]]
    return None


def _is_model(folder: Path) -> bool:
    return any((folder / sign).is_file() for sign in (MANIFEST, POINTER, *_OF_OTHERS))
