"""What regard's own protocol tells of models: their cards, their recipes, the checkpoints of their runs."""

from pathlib import Path
from typing import Any

from regard.errors import StoreError
from regard.server.service import ModelCard, Service, ServiceError
from regard.store.pointer import POINTER, read_pointers
from regard.training.log import LOG, read_events

MOST_VALIDATIONS = 10_000
"""The last ones of a log."""


def find_card(service: Service, name: str, operation: str | None = None) -> ModelCard:
    """The card of a model; without a name, the first that can do what is asked for."""
    cards = service.models
    if not name and operation is not None:
        found = next((card for card in cards.values() if operation in card.operations), None)
        if found is None:
            raise ServiceError(
                400,
                "unsupported",
                f"none of the models can {operation}; name another operation",
                field="model",
            )
        return found
    card = cards.get(name)
    if card is None:
        raise ServiceError(
            404,
            "not_found",
            f"there is no such model; known: {', '.join(cards)}",
            field="model",
            found=name[:64],
        )
    return card


def card_to_dict(card: ModelCard, *, whole: bool = False) -> dict[str, Any]:
    """A card, for JSON.

    whole: with the recipe, and what the training run recorded
    """
    values = {
        "name": card.name,
        "task": card.task,
        "kind": card.kind,
        "digest": card.digest,
        "parameters": card.parameters,
        "operations": sorted(card.operations),
        "source": card.source,
        "target": card.target,
        "labels": list(card.labels),
        "reads_pairs": card.reads_pairs,
        "vector_size": card.vector_size,
        "max_tokens": card.max_tokens,
        "attentions": [dict(one) for one in card.attentions],
    }
    told = {name: value for name, value in values.items() if value is not None}
    return {**told, **without_folders(dict(card.about))} if whole else told


def without_folders(values: Any) -> Any:
    """The same, but of each path only what the file is called."""
    if isinstance(values, dict):
        return {name: without_folders(value) for name, value in values.items()}
    if isinstance(values, list | tuple):
        return [without_folders(value) for value in values]
    if isinstance(values, str) and ("/" in values or "\\" in values):
        return values.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return values


def checkpoints_of(run: Path, name: str) -> dict[str, Any]:
    """The checkpoints of a run, in the order of their steps, and its validations.

    name: that of the model, with which a request names a checkpoint
    """
    if not (run / POINTER).is_file():
        return {"model": name, "checkpoints": [], "validations": []}
    try:
        pointers = read_pointers(run)
        events = list(read_events(run)) if (run / LOG).is_file() else []
    except StoreError:  # which names files, that are no affair of a client
        raise ServiceError(500, "internal", "the run of this model cannot be read") from None
    measured = [event for event in events if event["event"] == "validation"][-MOST_VALIDATIONS:]
    return {
        "model": name,
        "checkpoints": [
            {
                "model": f"{name}@{Path(entry.folder).name}",
                "step": entry.step,
                "score": entry.score,
                "best": entry.folder == pointers.best,
                "last": entry.folder == pointers.last,
            }
            for entry in pointers.checkpoints
        ],
        "validations": [{key: value for key, value in event.items() if key != "event"} for event in measured],
    }
