"""Files that appear whole or not at all. This module does not know torch.

A folder is written under a passing name, each file and the folder are synced, then one rename gives it its
name. `manifest.json` in it names every other file with its size and SHA-256.
"""

import contextlib
import errno
import hashlib
import json
import os
import shutil
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from regard.errors import StoreError

MANIFEST = "manifest.json"
ALIGNMENT, ALARMS = "alignment.json", "alarms.json"
SIDE_FILES = (ALIGNMENT, ALARMS)
"""What was found out about a model later, and can be again. Each is checked when it is read, and its reader
names the cure: damaged, it does not keep anyone from the model."""
FORMAT = 1
_MANIFEST_BYTES = 4 * 2**20


def check_writable(folder: Path) -> None:
    """Refuse, before any work, a place where no folder can be made or filled."""
    nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not nearest.is_dir():
        raise StoreError(f"{folder}: cannot be written: {nearest} is a file, expected a folder")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise StoreError(f"{folder}: cannot be written: no permission to write in {nearest}")


def check_foreign(folder: Path, own: Collection[str] = ()) -> None:
    """Refuse, before any work, a folder that holds files of somebody else; hidden ones do not count.

    own: names of files that may be there
    """
    if not folder.is_dir():
        return
    foreign = sorted(path.name for path in folder.iterdir() if path.name[0] != "." and path.name not in own)
    if foreign:
        named = ", ".join(foreign[:3]) + (", …" if len(foreign) > 3 else "")
        raise StoreError(f"{folder}: expected a new or empty folder, found other files in it: {named}")


def free_bytes(folder: Path) -> int:
    """Free space where a folder is, or will be."""
    nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    return shutil.disk_usage(nearest).free


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a new folder with these files and their manifest."""
    passing = _passing_name(folder)
    listing = {name: _facts(content) for name, content in files.items()}
    manifest = _listing(FORMAT, listing)
    whole = {**files, MANIFEST: manifest}
    try:
        # A process that was killed may have had this number, too: in a container all do.
        shutil.rmtree(passing, ignore_errors=True)
        passing.mkdir(parents=True)
        for name, content in whole.items():
            (passing / name).parent.mkdir(exist_ok=True)
            _write_synced(passing / name, content)
        for part in {(passing / name).parent for name in whole}:
            _sync_folder(part)
        passing.rename(folder)
        _sync_folder(folder.parent)
    except OSError as error:
        shutil.rmtree(passing, ignore_errors=True)  # what it took is free again
        raise cannot_write(folder, error, sum(map(len, whole.values()))) from None
    finally:  # whatever went wrong, Ctrl-C included; after the rename there is nothing left to remove
        shutil.rmtree(passing, ignore_errors=True)


def replace_file(folder: Path, name: str, content: bytes | None) -> None:
    """Put a file of a whole folder in place of the one of this name, if any; None removes that.

    The manifest forgets the old file before anything happens to it, and names the new one when it is there:
    whatever goes wrong between, the folder is whole, with the old file, the new one or none.
    """
    version, listing = _known_manifest(folder)
    if name in listing:
        del listing[name]
        _write_manifest(folder, version, listing)
    if content is None:
        with contextlib.suppress(OSError):  # nothing names it any more
            (folder / name).unlink()
        return
    write_file(folder / name, content)
    _write_manifest(folder, version, {**listing, name: _facts(content)})


def _write_manifest(folder: Path, version: int, listing: Mapping[str, Any]) -> None:
    write_file(folder / MANIFEST, _listing(version, listing))


def write_file(path: Path, content: str | bytes) -> None:
    """Replace one file by a rename, so that a reader sees the old content or the new."""
    passing = _passing_name(path)
    data = content if isinstance(content, bytes) else content.encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_synced(passing, data)
        passing.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise cannot_write(path, error, len(data)) from None
    finally:
        with contextlib.suppress(OSError):
            passing.unlink()


@dataclass(frozen=True)
class Listing:
    """The files that the manifest of a folder names; each is checked against it when it is read."""

    folder: Path
    _facts: Mapping[str, Any]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __contains__(self, name: str) -> bool:
        return name in self._facts

    def facts(self, name: str) -> Any:
        """What the manifest says of a file."""
        return self._facts[name]

    def check(self, name: str) -> Path:
        """A file that is in the folder, in the size that the manifest says."""
        folder, path = self.folder, _named(self.folder, name)
        try:
            if path.parent != folder or path.is_symlink() or not path.is_file():
                raise StoreError(f"{path}: the manifest names it, but it is not a file of this folder")
            _check_size(path, self._facts[name])
        except OSError as error:
            raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
        return path

    def open(self, name: str, most: int | None = None) -> BinaryIO:
        """A file, of at most so many bytes; nothing is read yet."""
        path = self.check(name)
        try:
            if most is not None and (size := path.stat().st_size) > most:
                raise StoreError(f"{path}: expected at most {most:,} bytes, found {size:,}")
            return path.open("rb")
        except OSError as error:
            raise StoreError(f"{path}: cannot be read: {error.strerror}") from None

    def read(self, name: str, most: int | None = None) -> bytes:
        """The content of a file."""
        with self.open(name, most) as file:
            return self.content(name, file)

    def content(self, name: str, file: BinaryIO) -> bytes:
        """What is in an opened file, once it is what the manifest says."""
        path, facts = self.folder / name, self._facts[name]
        try:
            content = file.read()
        except OSError as error:
            raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
        if facts.get("sha256") != hashlib.sha256(content).hexdigest():
            raise _damaged(path)
        return content


def list_folder(folder: Path, *, check: bool = True) -> Listing:
    """The files that the manifest names; a folder of another format is refused.

    check: that all of them are there, in their size, but for `SIDE_FILES`
    """
    files = Listing(folder, _known_manifest(folder)[1])
    for name in files if check else ():
        if name not in SIDE_FILES:
            files.check(name)
    return files


def _known_manifest(folder: Path) -> tuple[int, dict[str, Any]]:
    try:
        version, listing = _manifest(folder)
    except _DAMAGED:
        raise StoreError(
            f"{folder / MANIFEST}: missing or damaged; this is not a whole model folder"
        ) from None
    if version != FORMAT:
        raise StoreError(
            f"{folder}: has format {version}, this regard reads format {FORMAT}; install a newer one"
        )
    return version, listing


def read_folder(folder: Path) -> dict[str, bytes]:
    """Read the files that the manifest names, and check each against it."""
    listing = list_folder(folder)
    return {name: listing.read(name) for name in listing}


def verify_folder(folder: Path) -> None:
    """Check every file that the manifest names against it; a folder without a manifest promises nothing."""
    if not (folder / MANIFEST).is_file():
        return
    try:
        _, listing = _manifest(folder)
    except _DAMAGED:
        raise StoreError(f"{folder / MANIFEST}: damaged; this is not a whole model folder") from None
    for name, facts in listing.items():
        path = _named(folder, name)
        try:
            if not path.is_file():
                raise StoreError(f"{path}: the manifest names it, but it is not a file of this folder")
            _check_size(path, facts)
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
        if facts.get("sha256") != digest:
            raise _damaged(path)


_DAMAGED = (OSError, ValueError, KeyError, TypeError, RecursionError)
"""What reading a manifest that nobody wrote so can end in."""


def _manifest(folder: Path) -> tuple[int, dict[str, Any]]:
    """The format, and what is said of each file."""
    path = folder / MANIFEST
    if not path.is_file() or path.stat().st_size > _MANIFEST_BYTES:  # a pipe or a device would never end
        raise ValueError(MANIFEST)
    manifest = json.loads(path.read_bytes())
    version, listing = manifest["format"], manifest["files"]
    if type(version) is not int or not isinstance(listing, dict):
        raise TypeError(MANIFEST)
    return version, listing


def _named(folder: Path, name: str) -> Path:
    """The file that a manifest names, plainly: it is in the folder, and has no other name there."""
    place = PurePosixPath(name)
    if place.is_absolute() or ".." in place.parts or str(place) != name or not name.isprintable():
        raise StoreError(f"{folder / MANIFEST}: names {name[:60]!r}, which is not a file of this folder")
    return folder / name


def _check_size(path: Path, facts: object) -> None:
    """Refuse a file of another size before any of it is read."""
    if not isinstance(facts, dict) or facts.get("bytes") != path.stat().st_size:
        raise _damaged(path)


def _damaged(path: Path) -> StoreError:
    return StoreError(f"{path}: damaged: its size or SHA-256 is not the one in {MANIFEST}")


def _facts(content: bytes) -> dict[str, int | str]:
    """What the manifest says of a file."""
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _listing(version: int, files: Mapping[str, Any]) -> bytes:
    """A manifest."""
    return json.dumps({"format": version, "files": files}, indent=2).encode()


def _passing_name(path: Path) -> Path:
    if not path.name:
        raise StoreError(f"{path}: expected the name of a file, found a folder")
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


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


def cannot_write(path: Path, error: OSError, needed: int) -> StoreError:
    """Why some bytes could not be written; of a full disk also how many are needed, and how many are free."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    space = f"; {needed:,} bytes are needed, {free_bytes(path):,} are free" if full else ""
    return StoreError(f"{path}: cannot be written: {error.strerror}{space}")
