"""What is drawn of an experiment, said without drawing."""

from dataclasses import dataclass


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
