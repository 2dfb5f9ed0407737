"""Vocabularies as a model folder holds them: one of each side, or one that is for all."""

from typing import TYPE_CHECKING

from regard.errors import StoreError
from regard.store.folder import LABELS, StoredModel, tokenizer_file
from regard.text.foreign_vocabulary import vocabulary_from_json
from regard.text.labels import Labels, LabelSets
from regard.text.scale import Scale
from regard.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from regard.config.answer import AnswerConfig

Vocabularies = tuple[Tokenizer, ...]
"""Source and target, with `joint` one that is both; or the only one."""
_SIDES = ("source", "target")


def stored_vocabularies(vocabularies: Vocabularies) -> dict[str, str]:
    """As `StoredModel.tokenizers` has them."""
    if all(one is vocabularies[0] for one in vocabularies):
        return {"joint": vocabularies[0].to_json()}
    return {side: one.to_json() for side, one in zip(_SIDES, vocabularies, strict=True)}


def vocabularies_of(stored: StoredModel, where: str, count: int) -> Vocabularies:
    """The vocabularies of a model that has so many; `where` names the model in an error."""
    sides = stored.tokenizers
    if "joint" in sides:
        return (_vocabulary(stored, "joint", where),) * count
    if count == len(_SIDES) and sides.keys() >= set(_SIDES):
        return tuple(_vocabulary(stored, side, where) for side in _SIDES)
    raise StoreError(f"{where}: the tokenizer is missing")


def _vocabulary(stored: StoredModel, side: str, where: str) -> Tokenizer:
    return vocabulary_from_json(stored.tokenizers[side], f"{where}: {tokenizer_file(side)}")


def label_encoder_of(stored: StoredModel, answer: "AnswerConfig", where: str) -> Labels | Scale:
    """The label set of a classifier, or the target scale of a regression."""
    from regard.config.answer import LabelsConfig, NumberConfig

    if isinstance(answer, NumberConfig):
        if stored.labels is None:
            raise StoreError(f"{where}: {LABELS} is missing")
        return Scale.from_json(stored.labels, f"{where}: {LABELS}")
    labels = labels_of(stored, where)
    return LabelSets(labels.names, answer.separator) if isinstance(answer, LabelsConfig) else labels


def labels_of(stored: StoredModel, where: str) -> Labels:
    """The label set of a model."""
    if stored.labels is None:
        raise StoreError(f"{where}: {LABELS} is missing")
    return Labels.from_json(stored.labels, f"{where}: {LABELS}")
