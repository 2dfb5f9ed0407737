"""What a folder holds, by its own words; and the model in it, whoever stored it."""

from pathlib import Path
from typing import Literal

from regard.errors import StoreError
from regard.store.files import read_object
from regard.store.folder import CONFIG, StoredModel, read_model
from regard.store.pointer import POINTER
from regard.store.tensors import MODULES

ForeignKind = Literal["sentence-transformers", "transformers", "marian"]
ENCODERS: tuple[ForeignKind, ...] = ("sentence-transformers", "transformers")
"""Kinds that embed texts."""
HeadTask = Literal["classification", "tagging", "question-answering"]
ENDINGS: dict[str, HeadTask] = {
    "ForSequenceClassification": "classification",
    "ForTokenClassification": "tagging",
    "ForQuestionAnswering": "question-answering",
}
"""How `transformers` calls an architecture with the head of a task."""
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
    if (folder / POINTER).exists() or not (folder / CONFIG).is_file():
        return None
    config = read_object(folder / CONFIG)
    if "model_type" not in config or "recipe" in config:
        return None
    return "marian" if config["model_type"] == "marian" else "transformers"


def head_of(folder: Path) -> HeadTask | None:
    """What a folder of `transformers` is for, by its architecture; None for an encoder alone."""
    given = read_object(folder / CONFIG).get("architectures")
    name = given[0] if isinstance(given, list) and given else None
    found = (task for ending, task in ENDINGS.items() if isinstance(name, str) and name.endswith(ending))
    return next(found, None)


def read_any_model(path: Path) -> StoredModel:
    """Read a folder of regard's own, of a Marian translator, or of a BERT with the head of a task."""
    kind = foreign_kind(path)
    if kind is None:
        return read_model(path)
    if kind == "marian":  # the readers of other libraries' folders are imported for these alone
        from regard.store.convert.marian import read_marian

        return read_marian(path)
    if kind == "transformers" and head_of(path) is not None:
        from regard.store.convert.heads import read_head

        return read_head(path)
    raise StoreError(f"{path}: is an encoder of {kind}, which has no recipe; expected a model of regard")
