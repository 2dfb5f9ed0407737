"""Encoders with the head of a task, as `transformers` stores them: classifiers, taggers, finders of answers.

In regard they are models with a recipe, as if they had been trained here. What they say is the same: a
temperature, or the scale of a number, goes into the weights of the last layer when a model is written.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError
from torch import Tensor

from regard.config.answer import LabelConfig, LabelsConfig, NumberConfig
from regard.config.bert import BertConfig
from regard.config.bert_reader import BertReaderConfig, FirstPoolingConfig
from regard.config.bert_span import BertSpanConfig
from regard.config.bert_tagger import BertTaggerConfig
from regard.config.classification import ClassificationRecipe
from regard.config.load import recipe_from_dict
from regard.config.question_answering import QuestionAnsweringRecipe
from regard.config.recipe import Recipe
from regard.config.tagger import SoftmaxLabellingConfig
from regard.config.tagging import TaggingRecipe
from regard.errors import StoreError
from regard.progress import counted
from regard.store.atomic import write_folder
from regard.store.convert.encoder import CONFIG, StoredEncoder, files_of, read_encoder
from regard.store.convert.files import read_object
from regard.store.convert.names import Naming
from regard.store.convert.own import encoder_from
from regard.store.convert.settings import FAMILIES
from regard.store.convert.tensors import Tensors, check_kinds
from regard.store.folder import StoredModel
from regard.store.vocabularies import labels_of, said_of, stored_vocabularies, vocabularies_of
from regard.text.foreign import ForeignTokenizer
from regard.text.foreign_vocabulary import ForeignVocabulary
from regard.text.labels import MOST as MOST_LABELS
from regard.text.labels import Labels, as_name
from regard.text.scale import Scale

Task = Literal["classification", "tagging", "question-answering"]
_ENDINGS: dict[str, Task] = {
    "ForSequenceClassification": "classification",
    "ForTokenClassification": "tagging",
    "ForQuestionAnswering": "question-answering",
}
_OUTPUT: dict[Task, str] = {
    "classification": "head.output",
    "tagging": "output",
    "question-answering": "output",
}
_CONFIGS: dict[Task, type[BertReaderConfig | BertTaggerConfig | BertSpanConfig]] = {
    "classification": BertReaderConfig,
    "tagging": BertTaggerConfig,
    "question-answering": BertSpanConfig,
}
_POOLER = "bert.pooler"
_DROPOUTS: dict[Task, tuple[str, ...]] = {
    "classification": ("classifier_dropout", "seq_classif_dropout"),
    "tagging": ("classifier_dropout",),
    "question-answering": ("qa_dropout",),
}
"""What a head's own share of hidden values is called; else it is that of the layers."""
_PAIR = {"text": "first", "second": "second"}
_MOST_TOKENS, _MOST_OF_A_QUESTION = 128, 32
"""Of a training row, where there are places for so many; as recipes have them."""
_DISTILBERT = BertConfig(segments=0, norm_epsilon=1e-12)


def head_of(folder: Path) -> Task | None:
    """What a folder of `transformers` is for, by its architecture; None for an encoder alone."""
    given = read_object(folder / CONFIG).get("architectures")
    name = given[0] if isinstance(given, list) and given else None
    found = (task for ending, task in _ENDINGS.items() if isinstance(name, str) and name.endswith(ending))
    return next(found, None)


def read_head(folder: Path, *, pairs: bool = False) -> StoredModel:
    """Read a folder with the head of a task, or say in one line what is in the way.

    pairs: a classifier reads two texts; its folder does not say so
    """
    task = head_of(folder)
    if task is None:
        raise StoreError(f"{folder / CONFIG}: architectures: expected one of {', '.join(_ENDINGS)}")
    if pairs and task != "classification":
        raise StoreError(f"{folder}: pairs are for classifiers, and this is a model for {task}")
    given, encoder = read_object(folder / CONFIG), read_encoder(folder)
    naming, where = encoder.described.family.naming, str(folder / CONFIG)
    layers = _layers(task, naming)
    head = _head_weights(folder, layers, encoder)
    said, answer = _said(given, task, len(head[f"{_OUTPUT[task]}.bias"]), where)
    tokenizer = _vocabulary(encoder, folder)
    if tokenizer.separators is None and (pairs or task == "question-answering"):
        raise StoreError(f"{folder}: its tokenizer puts other symbols around a pair than around a text")
    own = {f"bert.{name}": value for name, value in encoder.weights.items() if _is_read(name, layers)}
    weights = {**own, **head}
    if task == "classification" and f"{_POOLER}.weight" not in weights:
        raise StoreError(f"{folder}: {naming.prefix}{naming.pooler}.weight is missing, which its head needs")
    recipe = recipe_from_dict(_recipe(task, given, encoder, tokenizer, answer, where, pairs=pairs), where)
    return StoredModel(
        recipe,
        weights,
        stored_vocabularies((tokenizer,)),
        {"from": "transformers", "model_type": encoder.described.model_type},
        None if said is None else said.to_json(),
    )


def write_head(folder: Path, model: StoredModel, where: str) -> tuple[str, ...]:
    """Write a folder that `transformers` loads; `where` names the model in an error.

    returns: what a user should know of it
    """
    written = _written(model, where)
    write_folder(folder, files_of(written.encoder, written.head, written.architecture))
    return written.notes


@dataclass(frozen=True)
class _Written:
    encoder: StoredEncoder
    head: dict[str, Tensor]
    """By their names."""
    architecture: str
    notes: tuple[str, ...]


def _layers(task: Task, naming: Naming) -> dict[str, str]:
    """The layers of a head: regard's name of each, and theirs."""
    if task == "question-answering":
        return {"output": "qa_outputs"}
    if task == "tagging":
        return {"output": "classifier"}
    above = {} if naming.text_layer is None else {_POOLER: naming.text_layer}
    return {**above, "head.output": naming.text_output}


def _is_read(name: str, layers: Mapping[str, str]) -> bool:
    """Whether a parameter of an encoder has a place below a head."""
    part = name.partition(".")[0]
    if part == "pooler":
        return "head.output" in layers and _POOLER not in layers
    return part not in ("masked_words", "next_sentence")


def _head_weights(folder: Path, layers: Mapping[str, str], encoder: StoredEncoder) -> dict[str, Tensor]:
    """The tensors of the head, by regard's names, once each is known to be there in its shape."""
    tensors, width = Tensors.of(folder), encoder.described.config.width
    found, used = {}, set()
    for own, theirs in layers.items():
        stored = tensors.stored.get(f"{theirs}.bias")
        rows = width if own == _POOLER else stored.shape[0] if stored and stored.shape else 1
        for part, wanted in (("weight", (rows, width)), ("bias", (rows,))):
            name = f"{theirs}.{part}"
            if name not in tensors.stored:
                raise StoreError(f"{tensors.where}: {name} is missing, which its head needs")
            if tensors.stored[name].shape != wanted or not rows:
                shape = tensors.stored[name].shape
                raise StoreError(f"{tensors.where}: {name} should have the shape {wanted}, found {shape}")
            check_kinds(tensors, [name])
            used.add(name)
            found[f"{own}.{part}"] = tensors.load(name)
    unknown = [name for name in encoder.left_out if name not in used]
    if unknown:
        raise StoreError(
            f"{tensors.where}: no place for {counted(len(unknown), 'tensor')} in its head: "
            f"{', '.join(unknown[:3])}"
        )
    return found


def _vocabulary(encoder: StoredEncoder, folder: Path) -> ForeignVocabulary:
    size = encoder.described.vocabulary_size
    tokenizer = ForeignTokenizer.of(encoder.tokenizer, where=str(folder))
    if tokenizer.size > size:
        raise StoreError(
            f"{folder}: the tokenizer has entries up to {tokenizer.size - 1}, and the weights are for {size}"
        )
    return ForeignVocabulary(tokenizer, size, str(folder))


def _said(
    given: Mapping[str, Any], task: Task, outputs: int, where: str
) -> tuple[Labels | Scale | None, dict[str, str]]:
    """What the model can say, and the kind of its answer."""
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
    task: Task,
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
    data: dict[str, Any] = {}
    if task == "classification":
        model["pooling"] = {"kind": "first", "activation": described.family.naming.text_activation}
        data = {"answer": answer, **(_PAIR if pairs else {})}
    try:
        room = _CONFIGS[task].model_validate(model)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        name = told[0] if told and problem["loc"] == ("dropout",) else "max_position_embeddings"
        raise StoreError(f"{where}: {name}: {problem['msg'].removeprefix('Value error, ')}") from None
    if isinstance(room, BertSpanConfig):
        data["max_question"] = min(_MOST_OF_A_QUESTION, room.most_of_a_question)
    else:
        data["max_tokens"] = min(_MOST_TOKENS, room.most_tokens(2 if pairs else 1))
    return {"task": task, "data": data, "model": model}


def _written(model: StoredModel, where: str) -> _Written:
    recipe, config = model.recipe, model.recipe.model
    if not isinstance(config, BertReaderConfig | BertTaggerConfig | BertSpanConfig):
        raise StoreError(f"{where}: model.kind: transformers has no {config.kind}; a bert is one")
    task: Task = recipe.task  # type: ignore[assignment]  # as its model is
    _check_counterpart(config, where)
    (tokenizer,) = vocabularies_of(model, where, 1)
    there = tokenizer.separators if isinstance(tokenizer, ForeignVocabulary) else 1
    if _reads_pairs(recipe) and there != config.separators:
        raise StoreError(
            f"{where}: model.separators: its tokenizer puts {there} symbols between two texts, the model "
            f"reads {config.separators}"
        )
    own = {
        name.removeprefix("bert."): value for name, value in model.weights.items() if name.startswith("bert.")
    }
    kind = _family(config, model.summary.get("model_type"), where)
    encoder = encoder_from(config.as_reader, own, tokenizer, where, kind=kind, told_apart=config.told_apart)
    naming = encoder.described.family.naming
    layers = _layers(task, naming)
    if _POOLER in layers:  # which the encoder itself has none of
        described = encoder.described
        bare = described.config.model_copy(update={"pooler": False})
        encoder = replace(encoder, described=replace(described, config=bare))
    head = {
        f"{theirs}.{part}": model.weights[f"{mine}.{part}"]
        for mine, theirs in layers.items()
        for part in ("weight", "bias")
    }
    rest, notes = _told(model, where, head, layers[_OUTPUT[task]])
    described = replace(encoder.described, rest={**encoder.described.rest, **rest})
    ending = next(ending for ending, served in _ENDINGS.items() if served == task)
    name = described.family.class_names[0].removesuffix("Model") + ending
    return _Written(replace(encoder, described=described), head, name, notes)


def _reads_pairs(recipe: Recipe) -> bool:
    return getattr(recipe.data, "second", None) is not None or isinstance(recipe, QuestionAnsweringRecipe)


def _family(
    config: BertReaderConfig | BertTaggerConfig | BertSpanConfig, came_as: str | None, where: str
) -> str | None:
    """The family that a model is written as: the one it came as, where it fits; None = as it is told by."""
    encoder, pooling = config.encoder, getattr(config, "pooling", None)
    rectified = isinstance(pooling, FirstPoolingConfig) and pooling.activation == "relu"
    is_distilled = encoder.uncounted is None and all(
        getattr(encoder, name) == getattr(_DISTILBERT, name) for name in ("segments", "norm_epsilon")
    )
    if rectified and not is_distilled:
        raise StoreError(
            f"{where}: model.pooling.activation: relu is DistilBERT's, which has no segments and a "
            f"norm_epsilon of {_DISTILBERT.norm_epsilon:g}; this encoder has others"
        )
    if rectified or (
        came_as == "distilbert" and is_distilled and not isinstance(pooling, FirstPoolingConfig)
    ):
        return "distilbert"
    counts_behind = came_as in FAMILIES and FAMILIES[came_as].counts_behind_padding
    return came_as if counts_behind and encoder.uncounted is not None else None


def _check_counterpart(config: BertReaderConfig | BertTaggerConfig | BertSpanConfig, where: str) -> None:
    """Refuse what the heads of transformers cannot do."""
    if isinstance(config, BertReaderConfig) and not isinstance(config.pooling, FirstPoolingConfig):
        raise StoreError(
            f"{where}: model.pooling: transformers decides from the first token, found {config.pooling.kind}"
        )
    if isinstance(config, BertTaggerConfig):
        if config.word != "first":
            raise StoreError(f"{where}: model.word: transformers tags first pieces, found {config.word}")
        if not isinstance(config.labelling, SoftmaxLabellingConfig):
            raise StoreError(
                f"{where}: model.labelling: transformers tags each word alone, found {config.labelling.kind}"
            )


def _told(
    model: StoredModel, where: str, head: dict[str, Tensor], output: str
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What `config.json` says of the answers; the last layer is changed so that they are regard's."""
    recipe = model.recipe
    temperature = float(model.summary.get("temperature", 1.0))
    notes: tuple[str, ...] = ()
    if temperature != 1.0:
        for part in ("weight", "bias"):
            head[f"{output}.{part}"] = head[f"{output}.{part}"] / temperature
        notes = ("its last layer is divided by the temperature, so that probabilities are the same",)
    if isinstance(recipe, QuestionAnsweringRecipe):
        return {}, notes
    if isinstance(recipe, TaggingRecipe):
        return _names(labels_of(model, where)), notes
    if not isinstance(recipe, ClassificationRecipe):
        raise AssertionError("no other task has such a model")
    answer, said = recipe.data.answer, said_of(model, recipe.data.answer, where)
    if isinstance(answer, NumberConfig) and isinstance(said, Scale):
        head[f"{output}.weight"] = head[f"{output}.weight"] * said.spread
        head[f"{output}.bias"] = head[f"{output}.bias"] * said.spread + said.mean
        return {"problem_type": "regression", **_names(Labels(["LABEL_0"]))}, notes
    kinds = {LabelConfig: "single_label_classification", LabelsConfig: "multi_label_classification"}
    return {"problem_type": kinds[type(answer)], **_names(said)}, notes  # type: ignore[arg-type]


def _names(labels: Labels) -> dict[str, Any]:
    return {
        "id2label": {str(number): name for number, name in enumerate(labels)},
        "label2id": {name: number for number, name in enumerate(labels)},
    }
