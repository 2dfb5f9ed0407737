"""Where a model is, in the folder that a user names. This module knows neither torch nor recipes."""

from pathlib import Path

from regard.errors import StoreError
from regard.store.atomic import MANIFEST
from regard.store.pointer import POINTER, pointed

_OF_OTHERS = ("config.json", "modules.json")
"""What folders of other libraries have: of those, their readers know more."""


def find_model(path: Path) -> Path:
    """The folder that holds the model itself: this one, or the best that a run points at."""
    if (path / MANIFEST).is_file():
        return path
    if (path / POINTER).is_file():
        pointers = pointed(path)
        if pointers.best:
            return path / pointers.best
        last = f"; the last checkpoint is {path / pointers.last}" if pointers.last else ""
        raise StoreError(
            f"{path}: no validation of the run has given a score, so there is no best model yet{last}"
        )
    if not path.exists():
        raise StoreError(f"{path}: no such folder; `regard train RECIPE --out {path}` makes one")
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


def check_foreign(path: Path) -> None:
    """Refuse what holds no model, of another library or of regard."""
    if not any((path / name).is_file() for name in (*_OF_OTHERS, MANIFEST, POINTER)):
        raise not_foreign(path)


def not_foreign(path: Path) -> StoreError:
    """The error for what is no folder of another library."""
    found = "neither" if path.is_dir() else "a file" if path.exists() else "no such folder"
    return StoreError(
        f"{path}: expected a folder with the config.json of transformers or Marian, which says a model_type, "
        f"or with the modules.json of sentence-transformers; found {found}"
    )
