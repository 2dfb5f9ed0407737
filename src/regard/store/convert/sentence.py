"""Folders of `sentence-transformers`: an encoder, a pooling, and the layers above it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import safetensors.torch
from torch import Tensor

from regard.errors import StoreError, did_you_mean
from regard.store.atomic import write_folder
from regard.store.convert.encoder import StoredEncoder, files_of, read_encoder
from regard.store.files import inside, read_json, read_object
from regard.store.tensors import MODULES, Tensors, check_kinds

_SETTINGS = tuple(
    f"sentence_{kind}_config.json"
    for kind in ("bert", "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet")
)
"""Where the settings of an encoder are: each family once had its own file. The first with any counts."""
_READ = ("max_seq_length", "do_lower_case", "unpad_inputs")
"""Settings that may differ; the last changes the speed alone."""
_OF_TEXTS: dict[str, Any] = {
    "transformer_task": "feature-extraction",
    "modality_config": {"text": {"method": "forward", "method_output_name": "last_hidden_state"}},
    "module_output_name": "token_embeddings",
}
"""What sentence-transformers writes for an encoder of texts."""
_OVERRIDES = (
    "config_args",
    "config_kwargs",
    "model_args",
    "model_kwargs",
    "processor_kwargs",
    "tokenizer_args",
)
"""Settings that change what the encoder's own files say."""
Pooling = Literal["mean", "first", "max"]
Similarity = Literal["cosine", "dot", "euclidean", "manhattan"]
_SIMILARITIES: tuple[Similarity, ...] = ("cosine", "dot", "euclidean", "manhattan")
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
    """Maximum sequence length."""
    lower: bool
    """Whether texts are written in small letters first."""
    prompts: dict[str, str]
    """Prompts: what is put before a text, by name."""
    default_prompt: str | None
    is_alone: bool = False
    """Whether there is an encoder alone, without a pooling."""
    similarity: Similarity = "cosine"
    """How sentence-transformers compares its vectors."""


def read_sentence_encoder(folder: Path) -> StoredSentenceEncoder:
    """Read a folder of sentence-transformers, or say in one line what is in the way.

    Of an encoder alone the words are averaged, as sentence-transformers does.
    """
    if not (folder / MODULES).exists():
        encoder = read_encoder(folder)
        longest = _longest({}, folder / _SETTINGS[0], encoder)
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
    path, settings = _settings(body)
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
            _check_names(place / "config.json", _optional(place / "config.json"))
            steps.append("normalise")
    told = folder / "config_sentence_transformers.json"
    most = _optional(told).get("truncate_dim")
    if most is not None:
        raise StoreError(f"{told}: truncate_dim: regard gives whole vectors, found {most!r:.60}")
    prompts, default = _prompts(told)
    return StoredSentenceEncoder(
        encoder,
        poolings,
        tuple(steps),
        _longest(settings, path, encoder),
        settings.get("do_lower_case") is True,
        prompts,
        default,
        similarity=_similarity(told),
    )


def write_sentence_encoder(folder: Path, stored: StoredSentenceEncoder) -> None:
    """Write a folder that `sentence-transformers` loads."""
    write_folder(folder, sentence_files(stored))


def sentence_files(stored: StoredSentenceEncoder) -> dict[str, bytes]:
    """The files of such a folder, by name or by module and name."""
    width = stored.encoder.described.config.width
    kinds, files = ["Transformer", "Pooling"], files_of(stored.encoder)
    told: dict[str, Any] = {
        _SETTINGS[0]: {"max_seq_length": stored.longest, "do_lower_case": stored.lower},
        "config_sentence_transformers.json": {
            "prompts": stored.prompts,
            "default_prompt_name": stored.default_prompt,
            "similarity_fn_name": stored.similarity,
        },
        "1_Pooling/config.json": {"word_embedding_dimension": width, **_told_poolings(stored.poolings)},
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


def _settings(body: Path) -> tuple[Path, dict[str, Any]]:
    """The settings of the encoder and their file, once nothing in them makes it another model."""
    paths = [body / name for name in _SETTINGS]
    path = next((path for path in paths if _optional(path)), paths[0])
    settings = _optional(path)
    lower = settings.get("do_lower_case")
    if lower is not None and not isinstance(lower, bool):
        raise StoreError(f"{path}: do_lower_case: expected true or false, found {lower!r}")
    for name, value in settings.items():
        accepted = (_OF_TEXTS[name],) if name in _OF_TEXTS else (None, {})
        if name in _READ or value in accepted:
            continue
        found = repr(value)[:60]
        if name in _OF_TEXTS:
            raise StoreError(f"{path}: {name}: expected {_OF_TEXTS[name]}, found {found}")
        if name in _OVERRIDES:
            raise StoreError(
                f"{path}: {name}: expected nothing that changes the encoder's own files, found {found}; open "
                "it with sentence-transformers and save it, which writes this into them"
            )
        raise StoreError(f"{path}: {name}: expected none, since regard reads texts without it, found {found}")
    return path, settings


def _told_poolings(poolings: tuple[Pooling, ...]) -> dict[str, Any]:
    """As flags, which every version reads, where they can say it: they have no order of their own."""
    theirs = {own: mode for mode, own in _POOLINGS.items()}
    modes = [theirs[pooling] for pooling in poolings]
    if modes != [mode for mode in _POOLING_FLAGS.values() if mode in modes]:
        return {"pooling_mode": modes}
    return {flag: mode in modes for flag, mode in _POOLING_FLAGS.items()}


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
    _check_names(path, settings)
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
    check_kinds(tensors.stored, list(shapes))
    bias = tensors.load("linear.bias") if "linear.bias" in shapes else None
    return StoredDense(tensors.load("linear.weight"), bias, function)


def _check_names(path: Path, settings: dict[str, Any]) -> None:
    """Refuse a layer that reads something else than the vector of the text, or writes it elsewhere."""
    source = settings.get("module_input_name", "sentence_embedding")
    target = settings.get("module_output_name")
    names = {"module_input_name": source, "module_output_name": source if target is None else target}
    for name, found in names.items():
        if found != "sentence_embedding":
            raise StoreError(f"{path}: {name}: expected sentence_embedding, found {found!r}")


def _longest(settings: dict[str, Any], path: Path, encoder: StoredEncoder) -> int:
    """The maximum sequence length that the folder asks for, as far as the encoder has positions.

    path: the file of the settings
    """
    body = path.parent
    asked, name = settings.get("max_seq_length"), f"{path.name}: max_seq_length"
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


def _similarity(path: Path) -> Similarity:
    name = _optional(path).get("similarity_fn_name") or "cosine"
    found = next((similarity for similarity in _SIMILARITIES if similarity == name), None)
    if found is None:
        known = ", ".join(_SIMILARITIES)
        raise StoreError(f"{path}: similarity_fn_name: expected one of {known}, found {name!r}")
    return found


def _optional(path: Path) -> dict[str, Any]:
    return read_object(path) if path.exists() else {}
