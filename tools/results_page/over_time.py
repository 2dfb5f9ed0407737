"""What models reach on dev after so many minutes of training, from the validations of their runs."""

from collections.abc import Mapping, Sequence
from typing import Any

from results_page.tasks import METRICS, NONE, Result, Shown, cells, link

HEAD = """
## Over the time of training

The best score on dev up to then, of one run: what would be kept if it were stopped there. The schedule of the
learning rate is that of the whole run, so a run that is planned for less time may reach more in it.

"""
MINUTES = (1, 2, 5, 10, 20, 40, 60, 120, 240, 480)
_LOWER = frozenset({"loss", "perplexity"})
_NO_MEASURE = frozenset({"step", "seconds", "loss"})


def time_section(results: Mapping[str, Result]) -> str:
    """The section for those results that know their validations; nothing where there are none."""
    known = {name: result for name, result in results.items() if "recipe" in result and _points(result)}
    longest = max((_points(result)[-1][0] for result in known.values()), default=0.0)
    columns = [minute for minute in MINUTES if minute * 60 < longest]
    if not columns:
        return ""
    head = ["result", "on dev", *(f"{minute} min" for minute in columns), "best", "after"]
    lines = [cells(head), cells(["---"] * len(head))]
    for name, result in known.items():
        metric, points = _metric(result), _points(result)
        how = METRICS.get(metric, Shown(metric, decimals=3))
        best, when = _best(points, metric)
        reached = [_reached(points, minute * 60, metric, how) for minute in columns]
        lines.append(cells([link(name), how.head, *reached, _text(best, how), f"{when / 60:.1f} min"]))
    return HEAD + "".join(lines)


def _metric(result: Result) -> str:
    """What the best checkpoint is chosen by; `score` is the first of the measures beside the loss."""
    chosen: str = result["recipe"].get("training", {}).get("best_by", "loss")
    if chosen != "score":
        return chosen
    measured = (name for each in _validations(result) for name in each)
    return next((name for name in measured if name not in _NO_MEASURE), chosen)


def _validations(result: Result) -> Sequence[Mapping[str, Any]]:
    training: Mapping[str, Any] = result["training"] if isinstance(result["training"], Mapping) else {}
    found: Sequence[Mapping[str, Any]] = training.get("validations", ())
    return found


def _points(result: Result) -> list[tuple[float, float]]:
    """Seconds and scores, in order."""
    metric = _metric(result)
    pairs = ((each.get("seconds"), each.get(metric)) for each in _validations(result))
    return [(seconds, value) for seconds, value in pairs if seconds is not None and value is not None]


def _best(points: Sequence[tuple[float, float]], metric: str) -> tuple[float, float]:
    """The best score, and the seconds to it."""
    seconds, value = (min if metric in _LOWER else max)(points, key=lambda point: point[1])
    return value, seconds


def _reached(points: Sequence[tuple[float, float]], seconds: float, metric: str, how: Shown) -> str:
    """The best up to some time; nothing before the first validation, nor after the run."""
    before = [point for point in points if point[0] <= seconds]
    if not before or points[-1][0] < seconds:
        return NONE
    return _text(_best(before, metric)[0], how)


def _text(value: float, how: Shown) -> str:
    return f"{value * how.times:,.{how.decimals}f}"
