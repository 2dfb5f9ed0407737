"""What is drawn of some runs: the loss, and a metric."""

from collections.abc import Sequence
from dataclasses import dataclass

from regard.errors import ConfigError, did_you_mean
from regard.training.runs.history import Axis, History, Point, smooth

TRAIN_LOSS, DEV_LOSS = "nll", "loss"
DERIVED = (DEV_LOSS, "perplexity")
"""Scores that say what the loss says."""
MOST_RUNS = 12
"""More curves than this in one picture cannot be told apart."""
_WINDOWS = 20
"""A curve of training is smoothed over a window of one part in so many."""


@dataclass(frozen=True)
class Curve:
    """A run in a panel."""

    train: list[Point]
    """At the steps, smoothed."""
    dev: list[Point]
    """At the validations."""
    best: Point | None
    """Of `dev`: the validation whose model is kept."""

    @property
    def line(self) -> list[Point]:
        """Through many points where there are many."""
        return self.train or self.dev

    @property
    def points(self) -> list[Point]:
        """All of them."""
        return self.train + self.dev


@dataclass(frozen=True)
class Panel:
    """One picture with all runs."""

    title: str
    axis: str
    end: float
    """Of the axis, which begins at 0 and is the same for all panels."""
    curves: list[Curve]

    @property
    def has_both(self) -> bool:
        """True if training and validations are in it."""
        return any(curve.train and curve.dev for curve in self.curves)

    @property
    def points(self) -> list[Point]:
        """All of them."""
        return [point for curve in self.curves for point in curve.points]


def choose_measure(histories: Sequence[History], asked: str | None) -> str:
    """The metric that was asked for; else the main score beside the loss."""
    scores = dict.fromkeys(name for history in histories for name in history.scores())
    if asked is None:
        own = [history.asked("best_by") for history in histories]
        return next((name for name in (*own, *scores) if name in scores and name not in DERIVED), DEV_LOSS)
    measures = dict.fromkeys(name for history in histories for name in history.measures())
    if asked not in scores and asked not in measures:
        known = list({**scores, **measures})
        hint = did_you_mean(asked, known) if known else "there is no step in it yet"
        raise ConfigError(f"no log has a metric '{asked}'; {hint}")
    return asked


def make_panels(histories: Sequence[History], measure: str, axis: Axis) -> list[Panel]:
    """The loss of training and of the dev set; and the metric, unless that is the loss itself."""
    steps = [history.last for history in histories if history.last]
    if axis == "seconds" and steps and not any("elapsed" in step for step in steps):
        raise ConfigError("the logs do not say the time of their steps; choose --x step or --x epoch")
    unit, scale = _unit(histories) if axis == "seconds" else (axis, 1.0)
    is_score = any(measure in history.scores() for history in histories)
    units = {_loss_unit(history) for history in histories}
    unit_of_loss = units.pop() if len(units) == 1 else "unit"
    names = {f"loss per {unit_of_loss}, train and dev": (TRAIN_LOSS, DEV_LOSS)}
    if measure not in (TRAIN_LOSS, DEV_LOSS):
        title = f"{measure} on dev" if is_score else f"{measure} of training"
        names[title] = ("", measure) if is_score else (measure, "")
    curves = {
        title: [_curve(history, *pair, scale) for history in histories] for title, pair in names.items()
    }
    end = max((x for group in curves.values() for curve in group for x, _ in curve.points), default=0.0)
    panels = [Panel(title, unit, end or 1.0, group) for title, group in curves.items()]
    return [panel for panel in panels if panel.points]


def _loss_unit(history: History) -> str:
    """What the loss of a run is a mean over; "unit" where the task is not known."""
    from regard.config.catalogue import (  # here: logs are also read where pydantic is not wanted
        RECIPES,
        USUAL,
    )

    recipe = RECIPES.get(str(history.recipe.get("task", USUAL)))
    return recipe.loss_unit if recipe else "unit"


def _curve(history: History, measure: str, score: str, scale: float) -> Curve:
    points = history.bins[measure].points() if measure else []
    train = smooth(points, max(1, len(points) // _WINDOWS))
    best = [history.best] if history.best else []
    kept = _scaled(history.dev(score, best), scale)
    return Curve(_scaled(train, scale), _scaled(history.dev(score), scale), kept[0] if kept else None)


def _scaled(points: list[Point], scale: float) -> list[Point]:
    return [(x / scale, y) for x, y in points]


def _unit(histories: Sequence[History]) -> tuple[str, float]:
    """The unit of time for the longest run, in seconds."""
    longest = max(history.seconds or 0.0 for history in histories)
    return ("hours", 3600.0) if longest > 7200 else ("minutes", 60.0) if longest > 120 else ("seconds", 1.0)
