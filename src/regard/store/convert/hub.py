"""Models of the Hugging Face hub, by name: their files are kept in its own cache folder."""

import re
from pathlib import Path

from regard.errors import MissingExtraError, StoreError

_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_FILES = ["*.json", "*.txt", "*.safetensors", "*.spm"]
"""Nothing else is fetched: no code, and nothing that can run code when it is read."""


def is_name(text: str) -> bool:
    """Whether this can be the name of a model: owner/name, where there is no such folder."""
    return _NAME.fullmatch(text) is not None and not Path(text).exists()


def fetch(name: str, revision: str | None = None) -> Path:
    """The folder of a model in the cache; what is not there yet is fetched."""
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise MissingExtraError(f"{name}: a model of the hub", "hub") from None
    try:
        folder = Path(snapshot_download(name, revision=revision, allow_patterns=_FILES))
    except Exception as error:  # the library raises whatever its many parts raise
        reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise StoreError(
            f"{name}: there is no such folder, and the hub gives no model of this name: {reason[:200]}; "
            "a folder that holds its files can be named instead"
        ) from None
    if not any(folder.rglob("*.safetensors")):  # a module may have a folder of its own
        raise StoreError(
            f"{name}: has no weights as safetensors, and others can run code when read; ask its owner for "
            "them, or convert it where transformers is installed: from_pretrained(…).save_pretrained(…)"
        )
    return folder
