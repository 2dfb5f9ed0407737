"""A result as it is kept in a file: the scores, and everything that they depend on."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from regard.config.recipe import Recipe
from regard.evaluation.result import Evaluation
from regard.inference.model import TaskModel
from regard.training.log import BOOKKEEPING, LOG, Event, read_events
from regard.training.versions import versions

DATA_FOLDER = "REGARD_DATA"


def training_facts(run: Path) -> dict[str, Any]:
    """What the log of a run has of its training: with what it was run, and the dev scores over its time.

    Of a folder without a log nothing is known. A validation repeated after a crash counts once.
    """
    if not (run / LOG).is_file():
        return {}
    facts: dict[str, Any] = {}
    validations: dict[int | None, dict[str, Any]] = {}
    for event in read_events(run):
        if event["event"] == "start":
            facts = {name: event[name] for name in ("versions", "device") if name in event}
        elif event["event"] == "validation":
            validations.pop(event.get("step"), None)  # so that the order is that of the last
            validations[event.get("step")] = _validation(event)
    return {**facts, "validations": list(validations.values())}


def _validation(event: Event) -> dict[str, Any]:
    scores = {name: fact for name, fact in event.items() if name not in BOOKKEEPING}
    return {"step": event.get("step"), "seconds": event.get("elapsed"), **scores}


def portable(value: Any) -> Any:
    """A part of a recipe whose paths under the data folder are named so that they hold on other machines."""
    if isinstance(value, dict):
        return {name: portable(part) for name, part in value.items()}
    if isinstance(value, list):
        return [portable(part) for part in value]
    folder = os.environ.get(DATA_FOLDER, "").rstrip("/")
    if folder and isinstance(value, str) and value.startswith(f"{folder}/"):
        return f"${DATA_FOLDER}{value.removeprefix(folder)}"
    return value


def model_record(
    model: TaskModel, result: Evaluation, recipe: Recipe, training: Mapping[str, Any]
) -> dict[str, Any]:
    """The result of a trained model.

    recipe:   the model's, with the test set
    training: what `training_facts` gave
    """
    return {
        **result.to_dict(),
        "parameters": sum(parameter.numel() for parameter in model.module.parameters()),
        "seed": recipe.training.seed,
        "training": {**model.summary, **training},
        "versions": versions(),
        "recipe": portable(recipe.model_dump(mode="json")),
    }
