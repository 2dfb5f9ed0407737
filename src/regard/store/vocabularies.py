"""The vocabularies of a translator as a model folder holds them: one of each side, or one that is both."""

from regard.errors import StoreError
from regard.store.folder import StoredModel
from regard.text.tokenizer import Tokenizer


def stored_vocabularies(source: Tokenizer, target: Tokenizer) -> dict[str, str]:
    """As `StoredModel.tokenizers` has them."""
    if source is target:
        return {"joint": source.to_json()}
    return {"source": source.to_json(), "target": target.to_json()}


def vocabularies_of(stored: StoredModel, where: str) -> tuple[Tokenizer, Tokenizer]:
    """Source and target; `where` names the model in an error."""
    sides = stored.tokenizers
    if "joint" in sides:
        joint = Tokenizer.from_json(sides["joint"], where)
        return joint, joint
    if {"source", "target"} <= sides.keys():
        return Tokenizer.from_json(sides["source"], where), Tokenizer.from_json(sides["target"], where)
    raise StoreError(f"{where}: the tokenizer is missing")
