"""A model as a folder that anyone can read: config.json, model.safetensors, tokenizers, manifest.json.

A run folder holds such folders under `checkpoints/` and the file `run.json`, which points at the best and the
last of them; both kinds of folder can be loaded.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from regard.config.load import recipe_from_dict
from regard.config.recipe import Recipe
from regard.errors import StoreError
from regard.store.alignment import AlignmentHeads, alignment_of
from regard.store.atomic import ALIGNMENT, Listing, list_folder, write_folder
from regard.store.files import JSON_BYTES, most_of_a_vocabulary
from regard.store.resolve import find_model
from regard.store.weights import FileWeights, saved, shapes_of
from regard.version import __version__

CONFIG, WEIGHTS, LABELS = "config.json", "model.safetensors", "labels.json"
_DICTIONARY_BYTES = 8 * 2**20
"""Of a user dictionary, which the file of a vocabulary holds, too."""


@dataclass(frozen=True)
class StoredModel:
    """Everything that a model folder holds."""

    recipe: Recipe
    weights: Mapping[str, Tensor]
    """By parameter name; a tensor that two parts share is here once."""
    tokenizers: dict[str, str]
    """JSON texts by side: source and target, or joint; and the characters, where a model reads them."""
    summary: dict[str, Any] = field(default_factory=dict)
    """What the training run said of this checkpoint: steps, epochs, seconds, dev scores."""
    labels: str | None = None
    """The label set, as a JSON text."""
    alignment: AlignmentHeads | None = None
    """The heads that align words, where somebody has chosen them."""


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
        WEIGHTS: saved(model.weights, WEIGHTS),
    }
    most = _most_of_a_tokenizer(model.weights)
    for side, text in model.tokenizers.items():
        content = text.encode()
        if len(content) > most:
            raise StoreError(
                f"{tokenizer_file(side)}: expected at most {most:,} bytes for a vocabulary of this size, "
                f"found {len(content):,}; is text.user_dictionary the right file?"
            )
        files[tokenizer_file(side)] = content
    if model.labels is not None:
        files[LABELS] = model.labels.encode()
    if model.alignment is not None:
        files[ALIGNMENT] = model.alignment.to_json().encode()
    for name, limit in ((CONFIG, JSON_BYTES), (LABELS, most)):  # what could not be read again
        if len(files.get(name, b"")) > limit:
            raise StoreError(f"{name}: expected at most {limit:,} bytes, found {len(files[name]):,}")
    return files


def read_model(path: Path) -> StoredModel:
    """Read a model folder, or the best checkpoint of a run folder.

    Of the weights, the header is read; their values are when they are asked for.
    """
    folder = find_model(path)
    try:
        return model_of(list_folder(folder))
    except StoreError:
        if find_model(path) == folder:
            raise
        # A run in progress has just replaced its best checkpoint by a better one.
        return model_of(list_folder(find_model(path)))


def model_of(files: Listing) -> StoredModel:
    """The model that the files of a folder hold."""
    folder = files.folder
    for name in (CONFIG, WEIGHTS):
        if name not in files:
            raise StoreError(f"{folder}: {name} is missing")
    try:
        config = json.loads(files.read(CONFIG, JSON_BYTES))
        recipe, summary = config["recipe"], config["summary"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise StoreError(f"{folder / CONFIG}: not a config that regard wrote") from None
    for name, section in (("recipe", recipe), ("summary", summary)):
        if not isinstance(section, dict):
            raise StoreError(
                f"{folder / CONFIG}: {name}: expected a JSON object, found {type(section).__name__}"
            )
    told = recipe_from_dict(recipe, str(folder / CONFIG))
    weights = FileWeights(files, WEIGHTS, are_tables=told.model.is_counted)
    most = _most_of_a_tokenizer(weights)
    sides = [side for side in ("joint", "source", "target", "characters") if tokenizer_file(side) in files]
    return StoredModel(
        recipe=told,
        weights=weights,
        tokenizers={side: _text(files, tokenizer_file(side), most) for side in sides},
        summary=summary,
        labels=_text(files, LABELS, most) if LABELS in files else None,
        alignment=alignment_of(files),
    )


def _text(files: Listing, name: str, most: int) -> str:
    try:
        return files.read(name, most).decode()
    except UnicodeDecodeError as error:
        raise StoreError(f"{files.folder / name}: not UTF-8 text at byte {error.start}") from None


def _most_of_a_tokenizer(weights: Mapping[str, Tensor]) -> int:
    """The bytes that its file may have: there is a row of some table for each entry."""
    rows = max((shape[0] for shape in shapes_of(weights).values() if shape), default=0)
    return _DICTIONARY_BYTES + most_of_a_vocabulary(rows)


def weights_of(model: nn.Module) -> dict[str, Tensor]:
    """The parameters by name, each once, on the CPU."""
    return {name: value.detach().cpu() for name, value in model.named_parameters()}


def load_weights(model: nn.Module, weights: Mapping[str, Tensor], where: str) -> None:
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


def tokenizer_file(side: str) -> str:
    """The file of a vocabulary: of the source, the target, both (joint), or the characters."""
    return "tokenizer.json" if side == "joint" else f"tokenizer.{side}.json"
