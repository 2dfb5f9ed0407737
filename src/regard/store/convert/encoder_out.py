"""Encoders and models for a task that regard trained, as `transformers` stores encoders with a head."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from regard.config.answer import LabelConfig, LabelsConfig, NumberConfig
from regard.config.bert import BertConfig
from regard.config.bert_reader import BertReaderConfig, BertSpanConfig, FirstPoolingConfig
from regard.config.bert_tagger import BertTaggerConfig
from regard.config.classification import ClassificationRecipe
from regard.config.embedder import BertEmbedderConfig
from regard.config.masked_language_model import MaskedLanguageModelRecipe
from regard.config.question_answering import QuestionAnsweringRecipe
from regard.config.tagger import SoftmaxLabellingConfig
from regard.config.tagging import TaggingRecipe
from regard.errors import StoreError
from regard.store.atomic import write_folder
from regard.store.build import label_encoder_of, labels_of, vocabularies_of
from regard.store.convert.encoder import StoredEncoder, files_of
from regard.store.convert.heads import OUTPUT, POOLER, layers_of
from regard.store.convert.kinds import ENDINGS, EXPORTS, HeadTask
from regard.store.convert.sentence import Pooling, StoredSentenceEncoder
from regard.store.convert.settings import FAMILIES, Described
from regard.store.folder import StoredModel
from regard.text.foreign_vocabulary import ForeignVocabulary
from regard.text.labels import Labels, Scale
from regard.text.portable import portable_files, with_inputs
from regard.text.symbols import BOS, EOS, PAD
from regard.text.tokenizer import Tokenizer

_POOLINGS: dict[str, Pooling] = {"mean": "mean", "first": "first", "max": "max"}


def encoder_of(model: StoredModel, where: str) -> StoredEncoder:
    """A masked language model with its vocabulary; a head for next sentence prediction is left out."""
    recipe = model.recipe
    if not isinstance(recipe, MaskedLanguageModelRecipe):
        raise StoreError(f"{where}: expected a masked language model, found one for {recipe.task}")
    (tokenizer,) = vocabularies_of(model, where, 1)
    return encoder_from(recipe.model, model.weights, tokenizer, where)


def sentence_encoder_of(model: StoredModel, where: str) -> StoredSentenceEncoder:
    """A BERT that was trained for embedding; its classifier of pairs is left out."""
    config = model.recipe.model
    if not isinstance(config, BertEmbedderConfig):
        raise StoreError(
            f"{where}: a {config.kind} for {model.recipe.task} cannot be exported there: {EXPORTS}"
        )
    pooling = _POOLINGS.get(config.pooling.kind)
    if pooling is None:
        raise StoreError(
            f"{where}: model.pooling: sentence-transformers has {', '.join(_POOLINGS)}, found "
            f"{config.pooling.kind}"
        )
    (tokenizer,) = vocabularies_of(model, where, 1)
    weights = {
        name.removeprefix("bert."): value for name, value in model.weights.items() if name.startswith("bert.")
    }
    encoder = encoder_from(config.as_reader, weights, tokenizer, where)
    longest = config.encoder.longest
    return StoredSentenceEncoder(
        encoder, (pooling,), ("normalise",) if config.normalise else (), longest, False, {}, None
    )


def encoder_from(
    config: BertConfig,
    weights: Mapping[str, Tensor],
    tokenizer: Tokenizer,
    where: str,
    *,
    kind: str | None = None,
    told_apart: bool = True,
) -> StoredEncoder:
    """An encoder of one of their families, by default BERT or, as positions are counted, RoBERTa.

    told_apart: whether the texts of a pair have different segment ids
    """
    given, size = dict(weights), len(tokenizer)
    if isinstance(tokenizer, ForeignVocabulary):
        files, numbers = tokenizer.portable_files(longest=config.longest, where=where)
    elif config.uncounted is not None:
        raise StoreError(f"{where}: model.uncounted: BERT counts all positions, found {config.uncounted}")
    else:
        files = portable_files(tokenizer, longest=config.longest, begins=True, where=where)
        numbers = {"pad_token_id": PAD, "bos_token_id": BOS, "eos_token_id": EOS}
    kind = kind or ("bert" if config.uncounted is None else "roberta")
    if not config.segments and kind != "distilbert":  # BERT has one kind at least, which then adds nothing
        config = config.model_copy(update={"segments": 1})
        given["segment_embedding.weight"] = torch.zeros(1, config.width)
    rest = {**numbers, "tie_word_embeddings": True}
    files = with_inputs(files, segments=told_apart and config.segments > 1)
    return StoredEncoder(
        Described(FAMILIES[kind], kind, config, size, rest),
        {name: values for name, values in given.items() if not name.startswith("next_sentence.")},
        files,
        tuple(name for name in given if name.startswith("next_sentence.")),
    )


_DISTILBERT = BertConfig(segments=0, norm_epsilon=1e-12)


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


def _written(model: StoredModel, where: str) -> _Written:
    recipe, config = model.recipe, model.recipe.model
    if not isinstance(config, BertReaderConfig | BertTaggerConfig | BertSpanConfig):
        raise StoreError(
            f"{where}: a {config.kind} for {recipe.task} cannot be exported to transformers: {EXPORTS}"
        )
    task: HeadTask = recipe.task  # type: ignore[assignment]  # as its model is
    _check_counterpart(config, where)
    (tokenizer,) = vocabularies_of(model, where, 1)
    there = tokenizer.separators if isinstance(tokenizer, ForeignVocabulary) else 1
    has_pairs = (
        isinstance(recipe, QuestionAnsweringRecipe) or getattr(recipe.data, "second", None) is not None
    )
    if has_pairs and there != config.separators:
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
    layers = layers_of(task, naming)
    if POOLER in layers:  # which the encoder itself has none of
        described = encoder.described
        bare = described.config.model_copy(update={"pooler": False})
        encoder = replace(encoder, described=replace(described, config=bare))
    head = {
        f"{theirs}.{part}": model.weights[f"{mine}.{part}"]
        for mine, theirs in layers.items()
        for part in ("weight", "bias")
    }
    rest, notes = _notes(model, where, head, layers[OUTPUT[task]])
    described = replace(encoder.described, rest={**encoder.described.rest, **rest})
    ending = next(ending for ending, served in ENDINGS.items() if served == task)
    name = described.family.class_names[0].removesuffix("Model") + ending
    return _Written(replace(encoder, described=described), head, name, notes)


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


def _notes(
    model: StoredModel, where: str, head: dict[str, Tensor], output: str
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What `config.json` says of the outputs; the last layer is changed so that they are regard's."""
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
    answer, said = recipe.data.answer, label_encoder_of(model, recipe.data.answer, where)
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
