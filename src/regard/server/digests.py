"""What tells one model from another: the SHA-256 of its weights. Without torch."""

import hashlib
from pathlib import Path

from regard.store.pointer import POINTER
from regard.store.resolve import find_model


def digest_of(path: Path) -> str:
    """SHA-256 of the weights: of all files that hold some, in the order of their names."""
    found = hashlib.sha256()
    folder = find_model(path) if (path / POINTER).is_file() else path
    for file in sorted(folder.glob("**/*.safetensors")):
        with file.open("rb") as opened:
            while block := opened.read(1 << 20):
                found.update(block)
    return found.hexdigest()
