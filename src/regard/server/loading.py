"""Open a model in a worker, and say what it is. The only module of the service that loads one."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch

from regard import api
from regard.inference.inputs import MAX_SOURCE_TOKENS
from regard.plugins import load_plugins
from regard.server.digests import digest_of


def load_model(path: Path, device: str, threads: int | None, plugins: Sequence[str]) -> Any:
    """The model of a folder.

    plugins: files or modules of a user's own that it needs
    """
    if threads is not None:
        torch.set_num_threads(threads)
    load_plugins(plugins)
    return api.load(path, device=device)


def card_of(model: Any, path: Path, name: str, operations: Iterable[str]) -> dict[str, Any]:
    """The fields of the `ModelCard` of a model, as JSON has them."""
    recipe = getattr(model, "recipe", None)
    data = getattr(recipe, "data", None) if model.task == "translation" else None
    sites = getattr(getattr(model, "network", model.module), "attentions", {})
    return {
        "name": name,
        "task": model.task,
        "kind": recipe.model.kind if recipe is not None else "encoder",
        "digest": digest_of(path),
        "parameters": sum(own.numel() for own in model.module.parameters()),
        "operations": sorted(operations),
        "source": getattr(data, "source", None),
        "target": getattr(data, "target", None),
        "labels": list(getattr(model, "labels", ())),
        "reads_pairs": bool(getattr(model, "reads_pairs", False)),
        "vector_size": getattr(model, "width", None),
        "max_tokens": max_tokens_of(model),
        "attentions": [
            {"path": where, "kind": site.kind, "layer": site.layer, "heads": heads_at(model, where)}
            for where, site in sites.items()
        ],
        "about": {
            "recipe": None if recipe is None else recipe.model_dump(mode="json"),
            "summary": getattr(model, "summary", {}),
        },
    }


def heads_at(model: Any, path: str) -> int:
    """How many heads an attention has; 1 where it is not divided into heads."""
    try:
        return int(getattr(model.network.get_submodule(path), "heads", 1))
    except AttributeError:  # of one text of a pair, which is no module
        return 1


def max_tokens_of(model: Any) -> int | None:
    """The most tokens of an input; None where there is no limit."""
    if model.task == "translation":
        return MAX_SOURCE_TOKENS
    if model.task == "language-model":
        longest: int | None = model.network.longest
        return MAX_SOURCE_TOKENS if longest is None else min(MAX_SOURCE_TOKENS, longest - 1)
    return getattr(model, "longest", None)
