"""Encoders with the head of a task, as `transformers` stores them: classification, tagging, span extraction.

In regard they are models with a recipe, as if they had been trained here, with the same outputs.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from torch import Tensor

from regard.config.bert_reader import BertReaderConfig, BertSpanConfig
from regard.config.bert_tagger import BertTaggerConfig
from regard.config.load import recipe_from_dict
from regard.errors import StoreError
from regard.progress import counted
from regard.store.build import stored_vocabularies
from regard.store.convert.encoder import CONFIG, StoredEncoder, build_tokenizer, read_encoder
from regard.store.convert.kinds import ENDINGS, HeadTask, head_of
from regard.store.convert.names import Naming
from regard.store.files import read_object
from regard.store.folder import StoredModel
from regard.store.tensors import Tensors, check_kinds
from regard.text.foreign_vocabulary import ForeignVocabulary
from regard.text.labels import MOST as MOST_LABELS
from regard.text.labels import Labels, Scale, as_name

OUTPUT: dict[HeadTask, str] = {
    "classification": "head.output",
    "tagging": "output",
    "question-answering": "output",
}
_CONFIGS: dict[HeadTask, type[BertReaderConfig | BertTaggerConfig | BertSpanConfig]] = {
    "classification": BertReaderConfig,
    "tagging": BertTaggerConfig,
    "question-answering": BertSpanConfig,
}
POOLER = "bert.pooler"
_DROPOUTS: dict[HeadTask, tuple[str, ...]] = {
    "classification": ("classifier_dropout", "seq_classif_dropout"),
    "tagging": ("classifier_dropout",),
    "question-answering": ("qa_dropout",),
}
"""What a head's own dropout is called; else it is that of the layers."""
_PAIR = {"text": "first", "second": "second"}
_MOST_TOKENS, _MOST_OF_A_QUESTION = 128, 32
"""Of a training row, where there are so many positions; as recipes have them."""


def read_head(folder: Path, *, pairs: bool = False) -> StoredModel:
    """Read a folder with the head of a task, or say in one line what is in the way.

    pairs: a classifier of pairs of texts; its folder does not say so
    """
    task = head_of(folder)
    if task is None:
        raise StoreError(f"{folder / CONFIG}: architectures: expected one of {', '.join(ENDINGS)}")
    if pairs and task != "classification":
        raise StoreError(f"{folder}: pairs are for classifiers, and this is a model for {task}")
    given, encoder = read_object(folder / CONFIG), read_encoder(folder)
    naming, where = encoder.described.family.naming, str(folder / CONFIG)
    layers = layers_of(task, naming)
    head = _head_weights(folder, layers, encoder)
    said, answer = _label_encoder(given, task, len(head[f"{OUTPUT[task]}.bias"]), where)
    size = encoder.described.vocabulary_size
    tokenizer = ForeignVocabulary(build_tokenizer(encoder, str(folder)), size, str(folder))
    if tokenizer.separators is None and (pairs or task == "question-answering"):
        raise StoreError(f"{folder}: its tokenizer puts other symbols around a pair than around a text")
    own = {f"bert.{name}": value for name, value in encoder.weights.items() if _is_read(name, layers)}
    weights = {**own, **head}
    if task == "classification" and f"{POOLER}.weight" not in weights:
        raise StoreError(f"{folder}: {naming.prefix}{naming.pooler}.weight is missing, which its head needs")
    recipe = recipe_from_dict(_recipe(task, given, encoder, tokenizer, answer, where, pairs=pairs), where)
    return StoredModel(
        recipe,
        weights,
        stored_vocabularies((tokenizer,)),
        {"from": "transformers", "model_type": encoder.described.model_type},
        None if said is None else said.to_json(),
    )


def layers_of(task: HeadTask, naming: Naming) -> dict[str, str]:
    """The layers of a head: regard's name of each, and theirs."""
    if task == "question-answering":
        return {"output": "qa_outputs"}
    if task == "tagging":
        return {"output": "classifier"}
    above = {} if naming.text_layer is None else {POOLER: naming.text_layer}
    return {**above, "head.output": naming.text_output}


def _is_read(name: str, layers: Mapping[str, str]) -> bool:
    """Whether a parameter of an encoder is used below a head."""
    part = name.partition(".")[0]
    if part == "pooler":
        return "head.output" in layers and POOLER not in layers
    return part not in ("masked_words", "next_sentence")


def _head_weights(folder: Path, layers: Mapping[str, str], encoder: StoredEncoder) -> dict[str, Tensor]:
    """The tensors of the head, by regard's names, once each is known to be there in its shape."""
    tensors, width = Tensors.of(folder), encoder.described.config.width
    found, used = {}, set()
    for own, theirs in layers.items():
        stored = tensors.stored.get(f"{theirs}.bias")
        rows = width if own == POOLER else stored.shape[0] if stored and stored.shape else 1
        for part, wanted in (("weight", (rows, width)), ("bias", (rows,))):
            name = f"{theirs}.{part}"
            if name not in tensors.stored:
                raise StoreError(f"{tensors.where}: {name} is missing, which its head needs")
            if tensors.stored[name].shape != wanted or not rows:
                shape = tensors.stored[name].shape
                raise StoreError(f"{tensors.where}: {name} should have the shape {wanted}, found {shape}")
            check_kinds(tensors.stored, [name])
            used.add(name)
            found[f"{own}.{part}"] = tensors.load(name)
    unknown = [name for name in encoder.left_out if name not in used]
    if unknown:
        raise StoreError(
            f"{tensors.where}: no place for {counted(len(unknown), 'tensor')} in its head: "
            f"{', '.join(unknown[:3])}"
        )
    return found


def _label_encoder(
    given: Mapping[str, Any], task: HeadTask, outputs: int, where: str
) -> tuple[Labels | Scale | None, dict[str, str]]:
    """The label set or target scale of the model, and its output type."""
    if task == "question-answering":
        if outputs != 2:
            raise StoreError(
                f"{where}: expected 2 outputs of each token, a start and an end, found {outputs}"
            )
        return None, {}
    kind = given.get("problem_type")
    if task == "classification" and (kind == "regression" or (outputs == 1 and kind is None)):
        if outputs != 1:
            raise StoreError(f"{where}: problem_type: expected 1 output for a number, found {outputs}")
        return Scale(0.0, 1.0), {"kind": "number"}
    if outputs > MOST_LABELS:
        raise StoreError(f"{where}: expected at most {MOST_LABELS:,} labels, found {outputs:,}")
    told = given.get("id2label") or {str(number): f"LABEL_{number}" for number in range(outputs)}
    names = [told.get(str(number)) for number in range(outputs)] if isinstance(told, dict) else []
    if not names or len(told) != outputs or not all(map(_is_name, names)):
        raise StoreError(f"{where}: id2label: expected a name for each of {outputs} outputs, found others")
    labels = [as_name(str(name)) for name in names]
    if len(set(labels)) < len(labels):
        raise StoreError(f"{where}: id2label: expected different names, found one twice")
    several = task == "classification" and kind == "multi_label_classification"
    return Labels(labels), {"kind": "labels" if several else "label"}


def _is_name(name: object) -> bool:
    """Whether a label can be written and read again."""
    if not isinstance(name, str) or not as_name(name):
        return False
    return not any("\ud800" <= character <= "\udfff" for character in name)


def _recipe(
    task: HeadTask,
    given: Mapping[str, Any],
    encoder: StoredEncoder,
    tokenizer: ForeignVocabulary,
    answer: dict[str, str],
    where: str,
    *,
    pairs: bool,
) -> dict[str, Any]:
    described = encoder.described
    config = described.config.model_copy(update={"pooler": False, "masked_words": False})
    told = [name for name in _DROPOUTS[task] if given.get(name) is not None]
    model: dict[str, Any] = {
        "kind": "bert",
        "encoder": config.model_dump(mode="json"),
        "frame": list(tokenizer.frame),
        "separators": tokenizer.separators or 1,
        "told_apart": tokenizer.told_apart,
        "dropout": given[told[0]] if told else config.dropout,
    }
    data: dict[str, Any] = {"train": {"kind": "none"}, "dev": {"kind": "none"}}
    if task == "classification":
        model["pooling"] = {"kind": "first", "activation": described.family.naming.text_activation}
        data |= {"answer": answer, **(_PAIR if pairs else {})}
    try:
        room = _CONFIGS[task].model_validate(model)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        name = told[0] if told and problem["loc"] == ("dropout",) else "max_position_embeddings"
        raise StoreError(f"{where}: {name}: {problem['msg'].removeprefix('Value error, ')}") from None
    if isinstance(room, BertSpanConfig):
        data["max_question"] = min(_MOST_OF_A_QUESTION, room.max_question_tokens)
    else:
        data["max_tokens"] = min(_MOST_TOKENS, room.most_tokens(2 if pairs else 1))
    return {"task": task, "data": data, "model": model}
