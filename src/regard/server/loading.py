"""Open a model in a worker, and say what it is. The only module of the service that loads one."""

import hashlib
from pathlib import Path
from typing import Any

import torch

from regard import api
from regard.errors import RegardError
from regard.server.operations import OPERATIONS
from regard.store.resolve import find_model


def load_model(path: Path, device: str, threads: int | None) -> tuple[Any, str | None]:
    """The model, or what is wrong with it in one line."""
    try:
        if threads is not None:
            torch.set_num_threads(threads)
        return api.load(path, device=device), None
    except RegardError as error:
        return None, str(error)


def card_of(model: Any, path: Path, name: str) -> dict[str, Any]:
    """The fields of the `ModelCard` of a model, as JSON has them."""
    recipe = getattr(model, "recipe", None)
    data = getattr(recipe, "data", None)
    network = getattr(model, "network", model.module)
    sites = getattr(network, "attentions", {})
    return {
        "name": name,
        "task": model.task,
        "kind": recipe.model.kind if recipe is not None else "sentence-transformers",
        "digest": digest_of(path),
        "parameters": sum(own.numel() for own in model.module.parameters()),
        "operations": sorted(OPERATIONS.get(model.task, {})),
        "source": getattr(data, "source", None) if model.task == "translation" else None,
        "target": getattr(data, "target", None) if model.task == "translation" else None,
        "labels": list(getattr(model, "labels", ())),
        "reads_pairs": bool(getattr(model, "reads_pairs", False)),
        "vector_size": getattr(model, "width", None),
        "max_tokens": max_tokens_of(model),
        "attentions": [
            {"path": where, "kind": site.kind, "layer": site.layer} for where, site in sites.items()
        ],
        "about": {"recipe": recipe.model_dump(mode="json") if recipe is not None else None,
                  "summary": getattr(model, "summary", {})},
    }  # fmt: skip


def max_tokens_of(model: Any) -> int | None:
    """The most tokens of an input; None where there is no limit."""
    if model.task in ("translation", "language-model"):
        from regard.inference.inputs import MAX_SOURCE_TOKENS

        longest: int | None = model.network.longest if model.task == "language-model" else None
        return min(MAX_SOURCE_TOKENS, longest - 1) if longest is not None else MAX_SOURCE_TOKENS
    return getattr(model, "longest", None)


def digest_of(path: Path) -> str:
    """SHA-256 of the weights: of all files that hold some, in the order of their names."""
    found = hashlib.sha256()
    folder = path if not (path / "run.json").is_file() else find_model(path)
    for file in sorted(folder.glob("**/*.safetensors")):
        with file.open("rb") as opened:
            while block := opened.read(1 << 20):
                found.update(block)
    return found.hexdigest()
