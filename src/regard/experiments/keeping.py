"""Finished parts on the disk: an experiment that was stopped goes on after them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from regard.config.load import recipe_from_dict
from regard.errors import ConfigError, StoreError
from regard.experiments.estimates import Quantity
from regard.experiments.experiment import Measured
from regard.store.atomic import write_file

RESULT = "measured.json"
_FORMAT = 1


def keep(folder: Path, facts: Mapping[str, Any], measured: Measured) -> None:
    """Write what a part gave; it is finished with that."""
    content = {
        "format": _FORMAT,
        "facts": facts,
        "seconds": measured.seconds,
        "about": measured.about,
        "quantities": {
            name: {"value": each.value, "resampled": each.resampled}
            for name, each in measured.quantities.items()
        },
    }
    write_file(folder / RESULT, json.dumps(content, ensure_ascii=False))


def kept(folder: Path, facts: Mapping[str, Any]) -> Measured | None:
    """What a part gave before; None if it is not finished. One of other settings is refused."""
    path = folder / RESULT
    try:
        content = json.loads(path.read_bytes())
        if content["format"] != _FORMAT:
            raise ValueError
        there = _without_descriptions(_with_defaults(content["facts"]))
        measured = Measured(
            {name: Quantity(q["value"], tuple(q["resampled"])) for name, q in content["quantities"].items()},
            content["about"],
            content["seconds"],
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise StoreError(f"{path}: damaged, or of another version; remove it to measure this again") from None
    wanted = _without_descriptions(json.loads(json.dumps(facts)))
    if there != wanted:
        raise StoreError(
            f"{folder}: was made with other settings ({_difference(there, wanted)}); choose another --out"
        )
    return measured


_RECIPES = ("recipe", "pre-training")
"""What facts have recipes under."""


def _with_defaults(facts: dict[str, Any]) -> dict[str, Any]:
    """The same, but a recipe also has the settings that it was written before: they are as they were then."""
    try:
        recipes = {name: recipe_from_dict(facts[name], name) for name in _RECIPES if name in facts}
    except ConfigError:  # written by another version: its difference is told as it stands
        return facts
    return {**facts, **{name: recipe.model_dump(mode="json") for name, recipe in recipes.items()}}


def _without_descriptions(facts: dict[str, Any]) -> dict[str, Any]:
    """The same, but for what a recipe is said to be: a part is kept when that is put in other words."""
    recipes = {name: {**facts[name], "description": ""} for name in _RECIPES if name in facts}
    return {**facts, **recipes}


def _difference(there: Any, wanted: Any, path: str = "") -> str:
    """The first setting in which two trees differ."""
    if isinstance(there, dict) and isinstance(wanted, dict):
        for name in {**there, **wanted}:
            if there.get(name) != wanted.get(name):
                return _difference(there.get(name), wanted.get(name), f"{path}.{name}".lstrip("."))
    return f"{path} is {there!r} there, {wanted!r} here"
