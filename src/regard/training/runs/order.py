"""In which order runs are shown."""

from collections.abc import Sequence

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
