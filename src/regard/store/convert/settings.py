"""The settings of encoders of other libraries: `config.json` to regard's own, and back."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from regard.config.bert import BertConfig
from regard.errors import StoreError, did_you_mean
from regard.store.convert.names import BERT, DISTILBERT, ROBERTA, Naming


@dataclass(frozen=True)
class Family:
    """How models of one family are described."""

    naming: Naming
    fields: Mapping[str, str]
    """Regard's name of a setting, and theirs."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Settings that all models of the family share."""
    counts_behind_padding: bool = False
    """Whether positions are counted from behind `pad_token_id`."""
    head_activation: str | None = None
    """What the head uses whatever the settings say; None = what the layers use."""
    classes: tuple[str, str] | None = None
    """Where transformers has other names than the naming's."""

    @property
    def class_names(self) -> tuple[str, str]:
        """What transformers calls the encoder alone, and with the head."""
        return self.classes or self.naming.classes


_FIELDS = {
    "width": "hidden_size",
    "heads": "num_attention_heads",
    "feed_forward": "intermediate_size",
    "layers": "num_hidden_layers",
    "places": "max_position_embeddings",
    "segments": "type_vocab_size",
    "activation": "hidden_act",
    "norm_epsilon": "layer_norm_eps",
    "dropout": "hidden_dropout_prob",
    "attention_dropout": "attention_probs_dropout_prob",
}
_ROBERTA = Family(ROBERTA, _FIELDS, counts_behind_padding=True, head_activation="gelu")
FAMILIES = {
    "bert": Family(BERT, _FIELDS),
    "roberta": _ROBERTA,
    "xlm-roberta": replace(_ROBERTA, classes=("XLMRobertaModel", "XLMRobertaForMaskedLM")),
    "camembert": replace(_ROBERTA, classes=("CamembertModel", "CamembertForMaskedLM")),
    "distilbert": Family(
        DISTILBERT,
        {
            "width": "dim",
            "heads": "n_heads",
            "feed_forward": "hidden_dim",
            "layers": "n_layers",
            "places": "max_position_embeddings",
            "activation": "activation",
            "dropout": "dropout",
            "attention_dropout": "attention_dropout",
        },
        fixed={"segments": 0, "norm_epsilon": 1e-12},
    ),
}
_ACTIVATIONS = {
    "gelu": "gelu",
    "gelu_python": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "relu": "relu",
    "silu": "silu",
    "swish": "silu",
}
_ACTIVATIONS_BACK = {"gelu": "gelu", "gelu_tanh": "gelu_new", "relu": "relu", "silu": "silu"}
_OPTIONAL = {
    "activation": "gelu",
    "norm_epsilon": 1e-12,
    "dropout": 0.1,
    "attention_dropout": 0.1,
    "segments": 2,
}
"""What is meant where nothing is said; sizes have to be said."""
_MUST_BE: dict[str, tuple[Any, ...]] = {
    "position_embedding_type": (None, "absolute"),
    "is_decoder": (None, False),
    "add_cross_attention": (None, False),
    "pruned_heads": (None, {}),
    "quantization_config": (None,),
    "auto_map": (None, {}),
}
"""Fields that change the model, and the values with which it is the one that regard has."""
_LARGEST_VOCABULARY = 2**24
_OURS_TO_SAY = ("architectures", "dtype", "torch_dtype", "transformers_version", "_name_or_path", *_MUST_BE)


@dataclass(frozen=True)
class Described:
    """An encoder as `config.json` describes it."""

    family: Family
    model_type: str
    config: BertConfig
    """Of the largest such encoder: with a masked LM head, and a pooler where the family has one."""
    vocabulary_size: int
    rest: dict[str, Any]
    """Fields that do not change the encoder."""


def read_settings(given: dict[str, Any], where: str) -> Described:
    """What a `config.json` says, or the field in the way."""
    model_type = given.get("model_type")
    family = FAMILIES.get(model_type) if isinstance(model_type, str) else None
    if family is None:
        raise StoreError(
            f"{where}: model_type: {model_type!r:.60} is no family that regard opens; "
            f"{did_you_mean(str(model_type)[:60], FAMILIES)}"
        )
    for name, allowed in _MUST_BE.items():
        if given.get(name) not in allowed:
            found = repr(given[name])[:60]
            raise StoreError(f"{where}: {name}: regard opens models with {allowed[-1]!r} here, found {found}")
    values: dict[str, Any] = dict(family.fixed)
    for own, theirs in family.fields.items():
        if theirs not in given and own not in _OPTIONAL:
            raise StoreError(f"{where}: {theirs}: missing")
        values[own] = given.get(theirs, _OPTIONAL.get(own))
    name = family.fields["activation"]
    if not isinstance(values["activation"], str) or values["activation"] not in _ACTIVATIONS:
        raise StoreError(
            f"{where}: {name}: unknown function {values['activation']!r:.60}; "
            f"valid: {', '.join(_ACTIVATIONS)}"
        )
    values["activation"] = _ACTIVATIONS[values["activation"]]
    known = {"model_type", "vocab_size", *family.fields.values(), *_OURS_TO_SAY}
    if family.counts_behind_padding:
        values["uncounted"] = given.get("pad_token_id", 1)
        if values["uncounted"] is None:
            raise StoreError(f"{where}: pad_token_id: positions are counted from behind it, found null")
        known.add("pad_token_id")
    return Described(
        family,
        str(model_type),
        _config(values, family, where),
        _vocabulary_size(given, where),
        {name: value for name, value in given.items() if name not in known},
    )


def _config(values: dict[str, Any], family: Family, where: str) -> BertConfig:
    pooler = family.naming is not DISTILBERT
    try:
        return BertConfig(**values, pooler=pooler, masked_words=True)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        message = problem["msg"].removeprefix("Value error, ")
        if not problem["loc"]:
            raise StoreError(f"{where}: {message}") from None
        theirs = {**family.fields, "uncounted": "pad_token_id"}.get(str(problem["loc"][0]), "")
        found = repr(problem["input"])[:60]
        raise StoreError(f"{where}: {theirs}: {message[:1].lower()}{message[1:]}, found {found}") from None


def _vocabulary_size(given: dict[str, Any], where: str) -> int:
    size = given.get("vocab_size")
    if not isinstance(size, int) or isinstance(size, bool) or not 0 < size <= _LARGEST_VOCABULARY:
        raise StoreError(
            f"{where}: vocab_size: expected a number from 1 to {_LARGEST_VOCABULARY:,}, found {size!r:.60}"
        )
    return size


def write_settings(described: Described, architecture: str | None = None) -> dict[str, Any]:
    """What `config.json` says of an encoder, or of one with the head of a task, whose name is given."""
    family, config = described.family, described.config
    if config.reads != "both":
        raise StoreError("an encoder with model.reads: left has no counterpart in other libraries")
    values = config.model_dump()
    values["activation"] = _ACTIVATIONS_BACK[config.activation]
    written: dict[str, Any] = {theirs: values[own] for own, theirs in family.fields.items()}
    if family.counts_behind_padding:
        written["pad_token_id"] = config.uncounted
    return {
        "architectures": [architecture or family.class_names[int(config.masked_words)]],
        "model_type": described.model_type,
        "vocab_size": described.vocabulary_size,
        **described.rest,
        **written,
    }
