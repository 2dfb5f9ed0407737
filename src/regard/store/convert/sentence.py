"""Folders of `sentence-transformers`: an encoder, how its words become a vector, and what is done to that."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import safetensors.torch
from torch import Tensor

from regard.errors import StoreError, did_you_mean
from regard.store.atomic import write_folder
from regard.store.convert.encoder import StoredEncoder, files_of, read_encoder
from regard.store.convert.files import inside, read_json, read_object
from regard.store.convert.tensors import Tensors, check_kinds

MODULES = "modules.json"
Pooling = Literal["mean", "first", "max"]
_POOLINGS: dict[str, Pooling] = {"mean": "mean", "cls": "first", "max": "max"}
_POOLING_FLAGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
"""As it was said in older folders; several are put side by side in this order."""
_FUNCTIONS: dict[str, Literal["tanh", "none"]] = {
    "torch.nn.modules.activation.Tanh": "tanh",
    "torch.nn.modules.linear.Identity": "none",
}


@dataclass(frozen=True)
class StoredDense:
    """A layer on top of the pooled vector."""

    weight: Tensor
    """(out, in)."""
    bias: Tensor | None
    function: Literal["tanh", "none"]


@dataclass(frozen=True)
class StoredSentenceEncoder:
    """Everything that such a folder holds."""

    encoder: StoredEncoder
    poolings: tuple[Pooling, ...]
    """Of more than one, the vectors stand side by side."""
    steps: tuple[StoredDense | Literal["normalise"], ...]
    """What is done to the pooled vector, in order."""
    longest: int
    """Tokens that are read of a text."""
    lower: bool
    """Whether texts are written in small letters first."""
    prompts: dict[str, str]
    """What to write before a text, by name."""
    default_prompt: str | None
    is_alone: bool = False
    """Whether there is an encoder alone, and nothing said how its words become a vector."""


def read_sentence_encoder(folder: Path) -> StoredSentenceEncoder:
    """Read a folder of sentence-transformers, or say in one line what is in the way.

    Of an encoder alone the words are averaged, as sentence-transformers does.
    """
    if not (folder / MODULES).exists():
        encoder = read_encoder(folder)
        longest = _longest({}, encoder, folder)
        return StoredSentenceEncoder(encoder, ("mean",), (), longest, False, {}, None, is_alone=True)
    modules = _modules(folder)
    kinds = [kind for kind, _ in modules]
    where = folder / MODULES
    if kinds[:2] != ["Transformer", "Pooling"] or set(kinds[2:]) - {"Dense", "Normalize"}:
        raise StoreError(
            f"{where}: expected Transformer, Pooling, and then Dense or Normalize, found "
            f"{', '.join(kinds)[:200]}"
        )
    body = modules[0][1]
    encoder = read_encoder(body)
    settings = _optional(body / "sentence_bert_config.json")
    width = encoder.described.config.width
    poolings = _poolings(modules[1][1] / "config.json", width)
    width *= len(poolings)
    steps: list[StoredDense | Literal["normalise"]] = []
    for kind, place in modules[2:]:
        if kind == "Dense":
            dense = _dense(place, width)
            width = len(dense.weight)
            steps.append(dense)
        else:
            steps.append("normalise")
    prompts, default = _prompts(folder / "config_sentence_transformers.json")
    return StoredSentenceEncoder(
        encoder,
        poolings,
        tuple(steps),
        _longest(settings, encoder, body),
        settings.get("do_lower_case") is True,
        prompts,
        default,
    )


def write_sentence_encoder(folder: Path, stored: StoredSentenceEncoder) -> None:
    """Write a folder that `sentence-transformers` loads."""
    write_folder(folder, sentence_files(stored))


def sentence_files(stored: StoredSentenceEncoder) -> dict[str, bytes]:
    """The files of such a folder, by name or by module and name."""
    width = stored.encoder.described.config.width
    chosen = {theirs for theirs, own in _POOLINGS.items() if own in stored.poolings}
    kinds, files = ["Transformer", "Pooling"], files_of(stored.encoder)
    told: dict[str, Any] = {
        "sentence_bert_config.json": {"max_seq_length": stored.longest, "do_lower_case": stored.lower},
        "config_sentence_transformers.json": {
            "prompts": stored.prompts,
            "default_prompt_name": stored.default_prompt,
            "similarity_fn_name": "cosine",
        },
        "1_Pooling/config.json": {
            "word_embedding_dimension": width,
            **{flag: mode in chosen for flag, mode in _POOLING_FLAGS.items()},
        },
    }
    for number, step in enumerate(stored.steps, start=2):
        kinds.append("Dense" if isinstance(step, StoredDense) else "Normalize")
        if isinstance(step, StoredDense):
            tensors = {"linear.weight": step.weight} | (
                {} if step.bias is None else {"linear.bias": step.bias}
            )
            files[f"{number}_Dense/model.safetensors"] = safetensors.torch.save(tensors, {"format": "pt"})
            told[f"{number}_Dense/config.json"] = {
                "in_features": step.weight.shape[1],
                "out_features": step.weight.shape[0],
                "bias": step.bias is not None,
                "activation_function": next(name for name, own in _FUNCTIONS.items() if own == step.function),
            }
        else:
            told[f"{number}_Normalize/config.json"] = {}
    told[MODULES] = [
        {
            "idx": number,
            "name": str(number),
            "path": "" if number == 0 else f"{number}_{kind}",
            "type": f"sentence_transformers.models.{kind}",
        }
        for number, kind in enumerate(kinds)
    ]
    return files | {
        name: json.dumps(values, indent=2, ensure_ascii=False).encode() for name, values in told.items()
    }


def _modules(folder: Path) -> list[tuple[str, Path]]:
    """The kind and the folder of each module."""
    where = folder / MODULES
    listed = read_json(where)
    if not isinstance(listed, list) or not all(isinstance(module, dict) for module in listed):
        raise StoreError(f"{where}: expected a list of modules")
    found = []
    for module in listed:
        kind = str(module.get("type"))
        if not kind.startswith("sentence_transformers."):
            raise StoreError(f"{where}: type: regard has no module {kind!r}, and runs no code of a folder")
        name = module.get("path")
        found.append(
            (kind.rpartition(".")[2], folder if name == "" else inside(folder, name, f"{where}: path"))
        )
    return found


def _poolings(path: Path, width: int) -> tuple[Pooling, ...]:
    settings = read_object(path)
    modes = settings.get(
        "pooling_mode", [mode for flag, mode in _POOLING_FLAGS.items() if settings.get(flag)]
    )
    modes = [modes] if isinstance(modes, str) else modes or ["mean"]
    if not isinstance(modes, list):
        raise StoreError(f"{path}: pooling_mode: expected one of {', '.join(_POOLINGS)}, found {modes!r}")
    for mode in modes:
        if not isinstance(mode, str) or mode not in _POOLINGS:
            raise StoreError(
                f"{path}: pooling_mode: regard has no {mode!r}; {did_you_mean(str(mode), _POOLINGS)}"
            )
    if settings.get("include_prompt") is False:
        raise StoreError(f"{path}: include_prompt: regard pools over all words, found false")
    name = "embedding_dimension" if "embedding_dimension" in settings else "word_embedding_dimension"
    if settings.get(name) != width:
        raise StoreError(f"{path}: {name}: the encoder gives {width}, found {settings.get(name)!r}")
    return tuple(_POOLINGS[mode] for mode in modes)


def _dense(folder: Path, width: int) -> StoredDense:
    path = folder / "config.json"
    settings = read_object(path)
    function = _FUNCTIONS.get(str(settings.get("activation_function")))
    if function is None:
        raise StoreError(
            f"{path}: activation_function: regard knows {', '.join(_FUNCTIONS)}, "
            f"found {settings.get('activation_function')!r}"
        )
    for name in ("module_input_name", "module_output_name"):
        if settings.get(name) not in (None, "sentence_embedding"):
            raise StoreError(f"{path}: {name}: expected sentence_embedding, found {settings[name]!r}")
    if settings.get("use_residual"):
        raise StoreError(f"{path}: use_residual: regard has a layer without it, found true")
    size = settings.get("out_features")
    shapes: dict[str, tuple[Any, ...]] = {"linear.weight": (size, width), "linear.bias": (size,)}
    if settings.get("bias") is False:
        del shapes["linear.bias"]
    tensors = Tensors.of(folder)
    found = {name: stored.shape for name, stored in tensors.stored.items()}
    if found != shapes:
        raise StoreError(f"{tensors.where}: expected {shapes}, found {str(found)[:200]}")
    check_kinds(tensors, list(shapes))
    bias = tensors.load("linear.bias") if "linear.bias" in shapes else None
    return StoredDense(tensors.load("linear.weight"), bias, function)


def _longest(settings: dict[str, Any], encoder: StoredEncoder, body: Path) -> int:
    """What the folder asks for, as far as the encoder has places."""
    asked, name = settings.get("max_seq_length"), "sentence_bert_config.json: max_seq_length"
    if asked is None:
        try:
            told = json.loads(encoder.tokenizer.get("tokenizer_config.json", b"{}"))
            asked, name = told.get("model_max_length"), "tokenizer_config.json: model_max_length"
        except (ValueError, RecursionError, AttributeError):
            raise StoreError(f"{body / 'tokenizer_config.json'}: not the settings of a tokenizer") from None
    places = encoder.described.config.longest
    if asked is None:
        return places
    if not isinstance(asked, int | float) or isinstance(asked, bool) or not asked >= 1:
        raise StoreError(f"{body}/{name}: expected a number of tokens, found {asked!r}")
    return int(min(asked, places))


def _prompts(path: Path) -> tuple[dict[str, str], str | None]:
    settings = _optional(path)
    prompts, default = settings.get("prompts") or {}, settings.get("default_prompt_name")
    if not isinstance(prompts, dict) or not all(isinstance(text, str) for text in prompts.values()):
        raise StoreError(f"{path}: prompts: expected texts by name, found {str(prompts)[:60]}")
    if default is not None and (not isinstance(default, str) or default not in prompts):
        raise StoreError(f"{path}: default_prompt_name: {default!r} is not one of prompts")
    return prompts, default


def _optional(path: Path) -> dict[str, Any]:
    return read_object(path) if path.exists() else {}
