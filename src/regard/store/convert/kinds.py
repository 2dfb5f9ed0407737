"""What a folder holds, by its own words."""

from pathlib import Path
from typing import Literal

from regard.store.files import read_object
from regard.store.pointer import POINTER
from regard.store.tensors import MODULES

ForeignKind = Literal["sentence-transformers", "transformers", "marian"]
ENCODERS: tuple[ForeignKind, ...] = ("sentence-transformers", "transformers")
"""Kinds that make vectors of texts."""
EXPORTS = (
    "a translator of the kind transformer goes to marian or transformers; a BERT, alone or for "
    "classification, tagging or question answering, to transformers; a BERT that embeds, to "
    "sentence-transformers"
)
"""What can be exported where."""


def foreign_kind(folder: Path) -> ForeignKind | None:
    """The library that wrote a folder; None for regard's own, and where there is no telling."""
    if (folder / MODULES).is_file():
        return "sentence-transformers"
    if (folder / POINTER).exists() or not (folder / "config.json").is_file():
        return None
    config = read_object(folder / "config.json")
    if "model_type" not in config or "recipe" in config:
        return None
    return "marian" if config["model_type"] == "marian" else "transformers"
