"""A model with a recipe, whoever stored it."""

from pathlib import Path

from regard.errors import StoreError
from regard.store.convert.heads import head_of, read_head
from regard.store.convert.kinds import foreign_kind
from regard.store.convert.marian import read_marian
from regard.store.folder import StoredModel, read_model


def read_stored(path: Path) -> StoredModel:
    """Read a folder of regard's own, of a Marian translator, or of a BERT with the head of a task."""
    kind = foreign_kind(path)
    if kind is None:
        return read_model(path)
    if kind == "transformers" and head_of(path) is not None:
        return read_head(path)
    if kind != "marian":
        raise StoreError(f"{path}: is an encoder of {kind}, which has no recipe; expected a model of regard")
    return read_marian(path)
