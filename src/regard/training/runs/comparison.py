"""Runs side by side: their order, and in what their recipes differ."""

from collections.abc import Mapping, Sequence
from typing import Any

from regard.errors import ConfigError, did_you_mean
from regard.metrics.metric import metric_named
from regard.training.runs.history import History, number
from regard.training.runs.panels import DEV_LOSS

FACTS = ("name", "state", "step", "seconds", "tokens_per_second")


def in_order(histories: Sequence[History], by: str) -> list[History]:
    """Sort by a fact, or by the score of the kept model, best first; a run that lacks it comes last."""
    scores = dict.fromkeys(name for history in histories for name in history.scores())
    if by not in FACTS and by not in scores:
        raise ConfigError(f"runs cannot be sorted by '{by}'; {did_you_mean(by, [*FACTS, *scores])}")
    if by in ("name", "state"):
        return sorted(histories, key=lambda history: (history.state if by == "state" else "", history.name))
    values = {history.name: _value(history, by) for history in histories}
    known = [history for history in histories if values[history.name] is not None]
    # The smallest loss is the best, and the quickest run.
    lower_is_better = by in (DEV_LOSS, "seconds") or metric_named(by).lower_is_better
    known.sort(key=lambda history: values[history.name] or 0.0, reverse=not lower_is_better)
    return known + [history for history in histories if values[history.name] is None]


def _value(history: History, by: str) -> float | None:
    if by == "seconds":
        return history.seconds
    event = history.last if by in FACTS else history.best or {}
    return number(event.get(by))


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
