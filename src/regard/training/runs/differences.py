"""In what the recipes of several runs differ."""

from collections.abc import Mapping, Sequence
from typing import Any


def differences(recipes: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Settings in which recipes differ, by their path, with the value that each has (None: it has none).

    Settings that all of them have come first. What a run is called, or said to be, is no setting.
    """
    flat = [_flat(recipe) for recipe in recipes]
    paths = dict.fromkeys(path for settings in flat for path in settings if path != "description")
    values = {path: [settings.get(path) for settings in flat] for path in paths}
    found = [path for path in values if any(value != values[path][0] for value in values[path])]
    found.sort(key=lambda path: not all(path in settings for settings in flat))
    return {path: values[path] for path in found}


def _flat(recipe: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in recipe.items():
        if isinstance(value, Mapping) and value:
            flat |= _flat(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = value
    return flat


def short_names(paths: Sequence[str]) -> dict[str, str]:
    """Each path by its last parts, as many as tell it from the others."""
    names: dict[str, str] = {}
    for path in paths:
        parts = path.split(".")
        for count in range(1, len(parts) + 1):
            names[path] = ".".join(parts[-count:])
            if sum(f".{other}".endswith(f".{names[path]}") for other in paths) == 1:
                break
    return names
