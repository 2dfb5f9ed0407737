"""A model as a folder that anyone can read: config.json, model.safetensors, tokenizers, manifest.json.

A run folder holds such folders under `checkpoints/` and the file `run.json`, which points at the best and the
last of them; both kinds of folder can be loaded.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor, nn

from regard.config.load import recipe_from_dict
from regard.config.recipe import Recipe
from regard.errors import StoreError
from regard.store.atomic import read_folder, write_folder
from regard.store.finding import find_model
from regard.version import __version__

CONFIG, WEIGHTS, LABELS = "config.json", "model.safetensors", "labels.json"


@dataclass(frozen=True)
class StoredModel:
    """Everything that a model folder holds."""

    recipe: Recipe
    weights: dict[str, Tensor]
    """By parameter name; a tensor that two parts share is here once."""
    tokenizers: dict[str, str]
    """JSON texts by side: source and target, or joint; and the characters, where a model reads them."""
    summary: dict[str, Any] = field(default_factory=dict)
    """What the training run said of this checkpoint: steps, epochs, seconds, dev scores."""
    labels: str | None = None
    """What a model that chooses among labels can say, as a JSON text."""


def write_model(folder: Path, model: StoredModel) -> None:
    """Write a model folder."""
    write_folder(folder, files_of(model))


def files_of(model: StoredModel) -> dict[str, bytes]:
    """The files of a model folder, without the manifest."""
    config = {
        "regard": __version__,
        "torch": torch.__version__,
        "recipe": model.recipe.model_dump(mode="json"),
        "summary": model.summary,
    }
    files = {
        CONFIG: json.dumps(config, indent=2, ensure_ascii=False).encode(),
        WEIGHTS: safetensors.torch.save({name: t.contiguous() for name, t in model.weights.items()}),
    }
    for side, text in model.tokenizers.items():
        files[_tokenizer_name(side)] = text.encode()
    if model.labels is not None:
        files[LABELS] = model.labels.encode()
    return files


def read_model(path: Path) -> StoredModel:
    """Read a model folder, or the best checkpoint of a run folder."""
    folder = find_model(path)
    try:
        files = read_folder(folder)
    except StoreError:
        if find_model(path) == folder:
            raise
        # A run in progress has just replaced its best checkpoint by a better one.
        folder = find_model(path)
        files = read_folder(folder)
    return model_of(folder, files)


def model_of(folder: Path, files: dict[str, bytes]) -> StoredModel:
    """The model that these files of a folder hold."""
    for name in (CONFIG, WEIGHTS):
        if name not in files:
            raise StoreError(f"{folder}: {name} is missing")
    try:
        config = json.loads(files[CONFIG])
        recipe, summary = config["recipe"], config["summary"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise StoreError(f"{folder / CONFIG}: not a config that regard wrote") from None
    for name, section in (("recipe", recipe), ("summary", summary)):
        if not isinstance(section, dict):
            raise StoreError(
                f"{folder / CONFIG}: {name}: expected a JSON object, found {type(section).__name__}"
            )
    try:
        weights = safetensors.torch.load(files[WEIGHTS])
    except (SafetensorError, ValueError, KeyError) as error:
        raise StoreError(f"{folder / WEIGHTS}: not a safetensors file: {error}") from None
    sides = [side for side in ("joint", "source", "target", "characters") if _tokenizer_name(side) in files]
    return StoredModel(
        recipe=recipe_from_dict(recipe, str(folder / CONFIG)),
        weights=weights,
        tokenizers={side: _text(folder, files, _tokenizer_name(side)) for side in sides},
        summary=summary,
        labels=_text(folder, files, LABELS) if LABELS in files else None,
    )


def _text(folder: Path, files: dict[str, bytes], name: str) -> str:
    try:
        return files[name].decode()
    except UnicodeDecodeError as error:
        raise StoreError(f"{folder / name}: not UTF-8 text at byte {error.start}") from None


def weights_of(model: nn.Module) -> dict[str, Tensor]:
    """The parameters by name, each once, on the CPU."""
    return {name: value.detach().cpu() for name, value in model.named_parameters()}


def put_weights(model: nn.Module, weights: dict[str, Tensor], where: str) -> None:
    """Copy stored weights into a model of the same shape."""
    own = dict(model.named_parameters())
    if own.keys() != weights.keys():
        odd = sorted(own.keys() ^ weights.keys())
        raise StoreError(f"{where}: the weights do not fit the recipe: {', '.join(odd[:3])}")
    with torch.no_grad():
        for name, parameter in own.items():
            if parameter.shape != weights[name].shape:
                raise StoreError(
                    f"{where}: {name} should have the shape {tuple(parameter.shape)}, "
                    f"found {tuple(weights[name].shape)}"
                )
            parameter.copy_(weights[name])


def _tokenizer_name(side: str) -> str:
    return "tokenizer.json" if side == "joint" else f"tokenizer.{side}.json"
