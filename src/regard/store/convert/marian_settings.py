"""The settings of Marian translators: three JSON files to regard's recipe, and back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from regard.config.data import DataConfig, NoCorpus
from regard.config.decoding import DecodingConfig
from regard.config.text import UnigramConfig
from regard.config.transformer import TransformerConfig
from regard.config.translation import TranslationRecipe
from regard.errors import StoreError

CONFIG, GENERATION, TOKENIZER = "config.json", "generation_config.json", "tokenizer_config.json"
_LARGEST_VOCABULARY = 2**24
_FIELDS = {
    "width": "d_model",
    "heads": "encoder_attention_heads",
    "feed_forward": "encoder_ffn_dim",
    "encoder_layers": "encoder_layers",
    "decoder_layers": "decoder_layers",
    "longest": "max_position_embeddings",
    "dropout": "dropout",
    "attention_dropout": "attention_dropout",
    "activation_dropout": "activation_dropout",
}
_OPTIONAL = {"longest": 1024, "dropout": 0.1, "attention_dropout": 0.0, "activation_dropout": 0.0}
_SAME = {"decoder_attention_heads": "encoder_attention_heads", "decoder_ffn_dim": "encoder_ffn_dim"}
"""Fields that regard has once for both sides."""
_ACTIVATIONS: dict[str, Literal["relu", "gelu", "gelu_tanh", "silu"]] = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "silu": "silu",
    "swish": "silu",
}
_ACTIVATIONS_BACK = {"relu": "relu", "gelu": "gelu", "gelu_tanh": "gelu_new", "silu": "swish"}
_MUST_BE: dict[str, tuple[Any, ...]] = {
    "scale_embedding": (None, True, False),
    "normalize_before": (None, False),
    "normalize_embedding": (None, False),
    "add_final_layer_norm": (None, False),
    "static_position_embeddings": (None, True),
    "is_decoder": (None, False),
    "quantization_config": (None,),
    "auto_map": (None, {}),
}
"""Fields that change the model, and the values with which it is the one that regard has."""
_NEUTRAL: dict[str, tuple[Any, ...]] = {
    "early_stopping": (None, False),
    "min_new_tokens": (None,),
    "exponential_decay_length_penalty": (None,),
    "sequence_bias": (None,),
    "repetition_penalty": (None, 1, 1.0),
    "encoder_repetition_penalty": (None, 1, 1.0),
    "encoder_no_repeat_ngram_size": (None, 0),
    "forced_bos_token_id": (None,),
    "suppress_tokens": (None, []),
    "begin_suppress_tokens": (None, []),
    "penalty_alpha": (None, 0, 0.0),
    "diversity_penalty": (None, 0, 0.0),
    "num_beam_groups": (None, 1),
    "do_sample": (None, False),
    "guidance_scale": (None, 1, 1.0),
    "watermarking_config": (None,),
    "force_words_ids": (None, []),
    "stop_strings": (None, []),
    "max_time": (None,),
}
"""Fields of the search that regard has nothing for, and the values with which they do nothing."""
_MAX_LENGTH, _BEAMS = 21, 1
"""What `transformers` takes where nothing is said: 20 tokens after the start."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MarianNumbers:
    """Sizes of the vocabularies, and Marian's numbers of its symbols."""

    source_size: int
    target_size: int
    pad: int
    start: int
    """The decoder start token."""
    end: int
    separate: bool
    """Whether the target has entries of its own."""


@dataclass(frozen=True, kw_only=True)
class MarianSettings:
    """A translator as its files describe it."""

    recipe: TranslationRecipe
    model: TransformerConfig
    """The model of the recipe."""
    numbers: MarianNumbers
    unknown: str
    end_name: str
    renormalises: bool
    """Whether forbidden tokens keep no probability."""
    notes: tuple[str, ...]
    """Settings of the search that regard has nothing for."""


def read_settings(
    config: dict[str, Any], generation: dict[str, Any] | None, tokenizer: dict[str, Any], folder: Path
) -> MarianSettings:
    """What the files say, or the field in the way.

    generation: None where there is no such file; where there is one, it alone says how to search
    """
    where = folder / CONFIG
    for name, allowed in _MUST_BE.items():
        if config.get(name) not in allowed:
            found = repr(config.get(name))[:60]
            raise StoreError(f"{where}: {name}: regard opens models with {allowed[-1]!r} here, found {found}")
    for name, other in _SAME.items():
        if config.get(name) != config.get(other):
            raise StoreError(
                f"{where}: {name}: regard has one for both sides, {other} is {config.get(other)!r}, "
                f"found {config.get(name)!r}"
            )
    source = _number(config, "vocab_size", where, 1, _LARGEST_VOCABULARY)
    target = source
    if config.get("decoder_vocab_size") is not None:
        target = _number(config, "decoder_vocab_size", where, 1, _LARGEST_VOCABULARY)
    shared = config.get("share_encoder_decoder_embeddings", True) is True
    if shared and source != target:
        raise StoreError(f"{where}: decoder_vocab_size: shared word vectors are {source}, found {target}")
    separate = tokenizer.get("separate_vocabs") is True
    if not separate and source != target:
        raise StoreError(
            f"{folder / TOKENIZER}: separate_vocabs: expected true, since decoder_vocab_size is {target} and "
            f"vocab_size {source}, found {repr(tokenizer.get('separate_vocabs'))[:60]}"
        )
    said, given = (CONFIG, config) if generation is None else (GENERATION, generation)
    search = {name: value for name, value in given.items() if value is not None}
    # What the model begins and ends with is its own, so config.json has it, too. `transformers` would not
    # write without the first, and never end without the second; and as there, bos stands in for a start.
    start = search.get("bos_token_id", config.get("decoder_start_token_id"))
    symbols = {"decoder_start_token_id": start, "eos_token_id": config.get("eos_token_id"), **search}
    numbers = MarianNumbers(
        source_size=source,
        target_size=target,
        pad=_number(config, "pad_token_id", where, 0, source - 1),
        start=_number(symbols, "decoder_start_token_id", folder / said, 0, target - 1),
        end=_number(symbols, "eos_token_id", folder / said, 0, min(source, target) - 1),
        separate=separate,
    )
    decoding, notes = _decoding(search, numbers, folder / said)
    model = _model(config, shared=shared, where=where)
    languages = [str(tokenizer.get(f"{side}_lang") or side) for side in ("source", "target")]
    recipe = TranslationRecipe(
        description="a Marian translator",
        data=DataConfig(train=NoCorpus(), dev=NoCorpus(), source=languages[0], target=languages[1]),
        text=UnigramConfig(vocabulary_size=max(300, min(source, 1_000_000)), joint=shared),
        model=model,
        decoding=decoding,
    )
    return MarianSettings(
        recipe=recipe,
        model=model,
        numbers=numbers,
        unknown=_symbol(tokenizer, "unk_token", "<unk>"),
        end_name=_symbol(tokenizer, "eos_token", "</s>"),
        renormalises=search.get("renormalize_logits") is True,
        notes=notes,
    )


def _model(config: dict[str, Any], *, shared: bool, where: Path) -> TransformerConfig:
    values: dict[str, Any] = {}
    for own, theirs in _FIELDS.items():
        if theirs not in config and own not in _OPTIONAL:
            raise StoreError(f"{where}: {theirs}: missing")
        values[own] = config.get(theirs, _OPTIONAL.get(own))
    function = config.get("activation_function", "gelu")
    if not isinstance(function, str) or function not in _ACTIVATIONS:
        raise StoreError(
            f"{where}: activation_function: unknown function {function!r}; valid: {', '.join(_ACTIVATIONS)}"
        )
    try:
        return TransformerConfig(
            **values,
            activation=_ACTIVATIONS[function],
            order="post",
            share_embeddings=shared,
            scale_embeddings=bool(config.get("scale_embedding")),
            tie_embeddings=config.get("tie_word_embeddings", True) is True,
        )
    except ValidationError as error:
        raise _field_error(error, _FIELDS, where) from None


def _decoding(
    search: dict[str, Any], numbers: MarianNumbers, where: Path
) -> tuple[DecodingConfig, tuple[str, ...]]:
    """How sentences are searched for, and what regard has nothing for."""
    banned = search.get("bad_words_ids") or []
    if not isinstance(banned, list) or any(words not in ([numbers.pad], [numbers.start]) for words in banned):
        raise StoreError(
            f"{where}: bad_words_ids: regard forbids padding ({numbers.pad}) alone, found {str(banned)[:60]}"
        )
    forced = search.get("forced_eos_token_id")
    if forced not in (None, numbers.end, [numbers.end]):
        raise StoreError(
            f"{where}: forced_eos_token_id: regard ends with eos_token_id ({numbers.end}), found "
            f"{repr(forced)[:60]}"
        )
    notes = tuple(
        f"{name}: {repr(search[name])[:60]} has no counterpart here and is left out"
        for name, neutral in _NEUTRAL.items()
        if search.get(name) not in neutral
    )
    forbids = [name for name in ("min_length", "no_repeat_ngram_size") if search.get(name)]
    if forbids and search.get("renormalize_logits") is True:
        notes = (*notes, f"renormalize_logits: what {forbids[0]} forbids keeps its probability here")
    longest = search.get("max_new_tokens")
    if longest is None:
        longest = (
            _number({"max_length": _MAX_LENGTH} | search, "max_length", where, 2, 10_000) - 1
        )  # its start
    if isinstance(longest, int) and longest > 1 and forced is not None:
        longest -= 1  # the last token has to be the end, which needs no room here
    try:
        decoding = DecodingConfig(
            beam_size=search.get("num_beams") or _BEAMS,
            endings="best",
            length_alpha=_or(search.get("length_penalty"), 1.0),
            min_length=max(0, _or(search.get("min_length"), 0) - 1),  # its start
            no_repeat_ngram=_or(search.get("no_repeat_ngram_size"), 0),
            max_length_factor=0.0,
            max_length_extra=longest,
        )
    except (ValidationError, TypeError) as error:
        names = {
            "beam_size": "num_beams",
            "length_alpha": "length_penalty",
            "no_repeat_ngram": "no_repeat_ngram_size",
            "max_length_extra": "max_length",
        }
        raise _field_error(error, names, where) from None
    return decoding, notes


def _or(value: Any, default: Any) -> Any:
    return default if value is None else value


def _field_error(error: ValidationError | TypeError, names: Mapping[str, str], where: Path) -> StoreError:
    if isinstance(error, TypeError):
        return StoreError(f"{where}: min_length: expected a number")
    problem = error.errors(include_url=False)[0]
    message = problem["msg"].removeprefix("Value error, ")
    own = str(problem["loc"][0]) if problem["loc"] else ""
    theirs = f"{names.get(own, own)}: " if own else ""
    return StoreError(f"{where}: {theirs}{message[:1].lower()}{message[1:]}")


def _number(given: dict[str, Any], name: str, where: Path, least: int, most: int) -> int:
    found = given.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
        raise StoreError(f"{where}: {name}: expected a number from {least} to {most:,}, found {found!r}")
    return found


def _symbol(tokenizer: dict[str, Any], name: str, default: str) -> str:
    given = tokenizer.get(name, default)
    given = given.get("content") if isinstance(given, dict) else given
    return given if isinstance(given, str) and given else default


def write_settings(
    recipe: TranslationRecipe, numbers: MarianNumbers, where: str, *, never: Sequence[int], renormalises: bool
) -> dict[str, dict[str, Any]]:
    """The JSON files that describe a translator, by name.

    never:        entries that are never generated
    renormalises: whether they keep no probability
    """
    model, decoding = recipe.model, recipe.decoding
    if not isinstance(model, TransformerConfig):
        raise StoreError(f"{where}: model.kind: Marian is a transformer, found {model.kind}")
    wanted = {"order": "post", "norm": "layer", "positions": "sinusoidal", "head_size": None}
    for name, value in wanted.items():
        if getattr(model, name) != value:
            raise StoreError(f"{where}: model.{name}: Marian has {value}, found {getattr(model, name)}")
    if model.activation not in _ACTIVATIONS_BACK:
        raise StoreError(f"{where}: model.activation: Marian has no {model.activation}")
    if decoding.length_penalty != "average" or decoding.sample:
        raise StoreError(f"{where}: decoding: Marian searches with length_penalty: average, without sampling")
    values = model.model_dump()
    symbols = {
        "pad_token_id": numbers.pad,
        "eos_token_id": numbers.end,
        "bos_token_id": None,
        "decoder_start_token_id": numbers.start,
        "forced_eos_token_id": numbers.end,
    }
    config = {
        "architectures": ["MarianMTModel"],
        "model_type": "marian",
        "is_encoder_decoder": True,
        "vocab_size": numbers.source_size,
        "decoder_vocab_size": numbers.target_size,
        **{theirs: values[own] for own, theirs in _FIELDS.items()},
        **{name: values["heads" if "heads" in name else "feed_forward"] for name in _SAME},
        "activation_function": _ACTIVATIONS_BACK[model.activation],
        "scale_embedding": model.scale_embeddings,
        "share_encoder_decoder_embeddings": model.share_embeddings,
        "tie_word_embeddings": model.tie_embeddings,
        **symbols,
    }
    generation = {
        **symbols,
        "num_beams": decoding.beam_size,
        "length_penalty": decoding.length_alpha,
        "max_length": decoding.max_length_extra + 2 if not decoding.max_length_factor else 512,
        "min_length": decoding.min_length + 1 if decoding.min_length else 0,
        "no_repeat_ngram_size": decoding.no_repeat_ngram,
        "bad_words_ids": [[number] for number in never],
        "renormalize_logits": renormalises,
    }
    tokenizer = {
        "tokenizer_class": "MarianTokenizer",
        "source_lang": recipe.data.source,
        "target_lang": recipe.data.target,
        "unk_token": "<unk>",
        "eos_token": "</s>",
        "pad_token": "<pad>",
        "separate_vocabs": numbers.separate,
        "model_max_length": 512,
    }
    return {CONFIG: config, GENERATION: generation, TOKENIZER: tokenizer}
