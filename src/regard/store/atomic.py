"""Files that appear whole or not at all. This module does not know torch.

A folder is written under a passing name, each file and the folder are synced, then one rename gives it its
name. `manifest.json` in it names every other file with its size and SHA-256.
"""

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from regard.errors import StoreError

MANIFEST = "manifest.json"
FORMAT = 1


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a new folder with these files and their manifest."""
    passing = folder.with_name(f".{folder.name}.{os.getpid()}.tmp")
    listing = {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in files.items()
    }
    manifest = json.dumps({"format": FORMAT, "files": listing}, indent=2).encode()
    try:
        passing.mkdir(parents=True)
        for name, content in {**files, MANIFEST: manifest}.items():
            _write_synced(passing / name, content)
        _sync_folder(passing)
        passing.rename(folder)
        _sync_folder(folder.parent)
    except OSError as error:
        shutil.rmtree(passing, ignore_errors=True)
        raise _cannot_write(folder, error) from None


def write_file(path: Path, content: str) -> None:
    """Replace one file by a rename, so that a reader sees the old text or the new."""
    passing = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_synced(passing, content.encode())
        passing.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            passing.unlink()
        raise _cannot_write(path, error) from None


def read_folder(folder: Path) -> dict[str, bytes]:
    """Read the files that the manifest names, and check each against it."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        version, listing = manifest["format"], manifest["files"].items()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise StoreError(
            f"{folder / MANIFEST}: missing or damaged; this is not a whole model folder"
        ) from None
    if version != FORMAT:
        raise StoreError(
            f"{folder}: has format {version}, this regard reads format {FORMAT}; install a newer one"
        )
    files: dict[str, bytes] = {}
    for name, facts in listing:
        path = folder / name
        if path.parent != folder or path.is_symlink() or not path.is_file():
            raise StoreError(f"{path}: the manifest names it, but it is not a file of this folder")
        content = path.read_bytes()
        if not isinstance(facts, dict) or hashlib.sha256(content).hexdigest() != facts.get("sha256"):
            raise StoreError(f"{path}: damaged: its SHA-256 is not the one in {MANIFEST}")
        files[name] = content
    return files


def _write_synced(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _cannot_write(path: Path, error: OSError) -> StoreError:
    return StoreError(f"{path}: cannot be written: {error.strerror}")
