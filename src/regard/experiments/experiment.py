"""An experiment: what is trained, measured and drawn, and what a paper says of it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from regard.config.recipe import Recipe
from regard.experiments.estimates import Claim, Effect, Quantity, Repeats


@dataclass(frozen=True)
class Line:
    """One system over an axis."""

    label: str
    system: str
    points: tuple[tuple[float, str], ...]
    """Each place on the axis, and the measure there."""
    dashed: bool = False


@dataclass(frozen=True)
class Curves:
    """Measures of systems over an axis: lines with bands."""

    x: str
    y: str
    lines: tuple[Line, ...]
    ticks: tuple[tuple[float, str], ...] | None = None
    """Places to name on the axis, where numbers do not speak for themselves."""
    log_x: bool = False
    level: tuple[float, str] | None = None
    """A height to compare with, such as chance, and its name."""


@dataclass(frozen=True)
class Dots:
    """One measure of every system: a dot and an interval each, the best on top."""

    x: str
    measure: str
    less_is_better: bool = False


@dataclass(frozen=True)
class Scatter:
    """Two measures of every system against each other."""

    x: str
    y: str
    measure_x: str
    measure_y: str


Chart = Curves | Dots | Scatter


@dataclass(frozen=True)
class World:
    """Where systems are trained and measured: a corpus, or a task."""

    name: str
    title: str
    systems: Mapping[str, str]
    """What is compared: the name of each system, and how a person calls it."""
    corpus: str = ""
    """The folder that it needs in the data folder; none where everything is made on the spot."""
    also: tuple[str, ...] = ()
    """More folders that it needs there."""
    most_seeds: int | None = None
    """Where one model takes long: no more seeds than this."""
    in_quick: bool = True


@dataclass(frozen=True)
class Measured:
    """What a part gives."""

    quantities: Mapping[str, Quantity]
    about: Mapping[str, Any]
    """Facts of the training, such as `parameters`; plain values."""
    seconds: float
    """Of training and measuring, also where that was done in several goes."""


@dataclass(frozen=True)
class Part:
    """One system of one world with one seed, to be trained and measured."""

    work: Callable[[Path, bool], Measured]
    """Given a folder of its own, and whether to be quiet."""
    facts: Mapping[str, Any]
    """Everything that the result depends on beside versions and machine; plain values."""
    minutes: float
    """What it takes on two cores, about."""
    recipe: Recipe | None = None


@dataclass(frozen=True)
class Finding:
    """One thing that a paper says, and how it would show here."""

    name: str
    world: str
    paper: str
    """What the paper says, in words."""
    said: str
    """What is true, in words; of [this|that], this if it is confirmed and that if the opposite is."""
    effect: Effect
    unit: str
    claim: Claim
    decimals: int = 1

    @property
    def confirmed(self) -> str:
        """The sentence that is true if it is confirmed."""
        return _ALTERNATIVES.sub(r"\1", self.said)

    @property
    def opposite(self) -> str:
        """The sentence that is true if the opposite is."""
        return _ALTERNATIVES.sub(r"\2", self.said)


_ALTERNATIVES = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")


@dataclass(frozen=True)
class Experiment:
    """A paper's finding, to be run again."""

    name: str
    paper: str
    worlds: tuple[World, ...]
    part: Callable[[World, str, int, bool], Part]
    """The part of a system with a seed, in the quick form or the whole."""
    findings: tuple[Finding, ...]
    """The first one gives the figure its title."""
    charts: Callable[[World], tuple[Chart, ...]]
    seeds: int = 3
    """How often each system is trained; or, as `repeats` says, measured."""
    quick_seeds: int = 1
    repeats: Repeats = "seeds"
    shown: tuple[str, ...] = field(default=())
    """The measures of the table, for those that each system has."""
    note: str = ""
    """What the reader of the verdicts should know, whatever they are."""
    line: str = ""
    """One line for the list, which the catalogue has."""
