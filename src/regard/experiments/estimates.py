"""An effect with an interval, over seeds, repetitions or resampled test sets; and what it says of a claim."""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from regard.errors import DataError
from regard.metrics.bootstrap import SAMPLES, SEED, Interval, interval, resample
from regard.metrics.statistics import Floats, Rows, Statistics

Repeats = Literal["seeds", "repetitions"]
"""What is done several times: trainings that differ in their seed, or one and the same measurement."""
Over = Repeats | Literal["test rows"]


@dataclass(frozen=True)
class Quantity:
    """One measure of one trained system."""

    value: float
    resampled: tuple[float, ...] = ()
    """On test sets drawn from the rows with replacement; the same draws for every system of a world."""


def quantities(
    measured: Mapping[str, Statistics],
    groups: Mapping[str, Rows] | None = None,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
) -> dict[str, Quantity]:
    """Score measures on all rows, and on groups of them as `bleu 1-5`, with the same resamples for all."""
    wanted = dict(measured)
    for group, rows in (groups or {}).items():
        wanted |= {f"{name} {group}": _only(measure, rows) for name, measure in measured.items()}
    resampled = resample(wanted, samples=samples, seed=seed)
    return {
        name: Quantity(measure.value(), tuple(resampled[name].tolist())) for name, measure in wanted.items()
    }


def _only(measure: Statistics, rows: Rows) -> Statistics:
    """A measure to which the other rows give nothing, also when they are drawn."""
    counts = np.zeros_like(measure.counts)
    counts[rows] = measure.counts[rows]
    return Statistics(counts, measure.score)


class Seen:
    """What was measured of the systems of one world that were trained with one seed."""

    def __init__(self, systems: Mapping[str, Mapping[str, Quantity]], *, resampled: bool = False) -> None:
        self._systems = systems
        self._resampled = resampled

    def __call__(self, system: str, measure: str) -> Floats:
        """One number, (1,), or one for each resample, (samples,)."""
        quantity = self._systems[system][measure]
        return np.array(quantity.resampled if self._resampled else [quantity.value], dtype=np.float64)


Effect = Callable[[Seen], Floats]
"""What is asked of the measures, such as a difference; one result for each entry of the arrays."""


@dataclass(frozen=True)
class Estimate:
    """An effect and how sure it is."""

    value: float
    """The mean over seeds or repetitions."""
    interval: Interval
    over: Over
    each: tuple[float, ...]
    """With each of them."""


def estimate(
    effect: Effect,
    seeds: Sequence[Mapping[str, Mapping[str, Quantity]]],
    *,
    repeats: Repeats = "seeds",
) -> Estimate:
    """Compute an effect from what was measured with each seed: system → measure → quantity.

    With several seeds, the 95 % interval is Student's, over the seeds: another training would fall into it.
    With one seed it is that of the paired bootstrap over test rows: another test set would, but how much
    another training changes is not known.

    repeats: what is given, seeds or repetitions; the interval of several is made in the same way
    """
    each = tuple(float(effect(Seen(systems))[0]) for systems in seeds)
    if len(each) > 1:
        return Estimate(statistics.fmean(each), student_interval(each), repeats, each)
    scores = effect(Seen(seeds[0], resampled=True))
    if not np.any(np.isfinite(scores)):
        raise DataError("one seed, and nothing was resampled: there is no interval to be had")
    return Estimate(each[0], interval(scores), "test rows", each)


def student_interval(values: Sequence[float], level: float = 0.95) -> Interval:
    """Where the mean lies, from a few values that scatter normally: mean ± t · s / √n."""
    from scipy.stats import t

    mean = statistics.fmean(values)
    half = float(t.ppf((1 + level) / 2, len(values) - 1)) * statistics.stdev(values) / math.sqrt(len(values))
    return Interval(mean - half, mean + half)


Verdict = Literal["confirmed", "opposite", "not resolved"]


@dataclass(frozen=True)
class Claim:
    """Where an effect lies if the paper is right, and where it lies if the opposite is."""

    words: str
    paper: Interval
    opposite: tuple[Interval, ...]

    def verdict(self, found: Interval) -> Verdict:
        """An interval must lie within a range as a whole; one that reaches out of it resolves nothing."""
        if _within(found, self.paper):
            return "confirmed"
        return "opposite" if any(_within(found, other) for other in self.opposite) else "not resolved"


def more_than(smallest: float) -> Claim:
    """The effect is positive, and large enough to speak of; the opposite is as large, and negative.

    >>> more_than(1.0).verdict(Interval(1.2, 3.0)), more_than(1.0).verdict(Interval(0.5, 3.0))
    ('confirmed', 'not resolved')
    """
    return Claim(f"more than {smallest:g}", Interval(smallest, math.inf), (Interval(-math.inf, -smallest),))


def about_equal(margin: float) -> Claim:
    """The effect is too small to speak of: two systems are equal for all that matters."""
    return Claim(
        f"from {-margin:g} to {margin:g}",
        Interval(-margin, margin),
        (Interval(-math.inf, -margin), Interval(margin, math.inf)),
    )


def less_than(limit: float) -> Claim:
    """The effect stays under a limit; the opposite is above it."""
    return Claim(f"less than {limit:g}", Interval(-math.inf, limit), (Interval(limit, math.inf),))


def _within(found: Interval, bounds: Interval) -> bool:
    """Strictly inside; so what is not known at all, an interval without an end, lies in no range."""
    return bounds.low < found.low and found.high < bounds.high
