"""Small files of an untrusted folder: everything about them is checked."""

import json
from pathlib import Path
from typing import Any

from regard.errors import StoreError

JSON_BYTES = 4 * 2**20
"""Of the largest settings or index that is read."""
_ENTRY_BYTES, _RULES_BYTES = 512, 2 * 2**20
"""Of a vocabulary: far more than any entry needs, with its merge, escaped and indented; and of its rules."""


def most_of_a_vocabulary(rows: int) -> int:
    """The bytes that a file with an entry for each row of the weights may have."""
    return _RULES_BYTES + _ENTRY_BYTES * rows


def read_bytes(path: Path, *, most: int) -> bytes:
    """The content of a regular file that is not larger than `most` bytes."""
    if not path.is_file():  # a pipe or a device would never end
        found = "something that is not a file" if path.exists() else "nothing"
        raise StoreError(f"{path}: expected a file, found {found}")
    size = path.stat().st_size
    if size > most:
        raise StoreError(f"{path}: expected at most {most:,} bytes, found {size:,}")
    try:
        return path.read_bytes()
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from None


def read_json(path: Path) -> Any:
    """A JSON file."""
    content = read_bytes(path, most=JSON_BYTES)
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        problem = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise StoreError(f"{path}: not a JSON file: {problem}") from None


def read_object(path: Path) -> dict[str, Any]:
    """A JSON file that holds one object."""
    found = read_json(path)
    if not isinstance(found, dict):
        raise StoreError(f"{path}: expected a JSON object, found {type(found).__name__}")
    return found


def inside(folder: Path, name: object, where: str) -> Path:
    """A file or folder that a file names, which must be in the same folder."""
    plain = isinstance(name, str) and name not in ("", ".", "..") and not set(name) & set("/\\\0")
    if not plain:
        raise StoreError(f"{where}: expected the name of something in this folder, found {name!r}")
    return folder / str(name)
