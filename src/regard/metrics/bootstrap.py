"""Bootstrap resampling (Koehn 2004): confidence intervals and paired tests, with sacreBLEU's own draws.

For a seed and a number of samples, every system on the same test set is scored on the same resamples. So an
interval and a paired test come from one set of draws, and they are the ones that sacreBLEU makes.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from regard.metrics.statistics import Floats, Statistics

SAMPLES = 1000
SEED = 12345
_DRAWN_TOGETHER = 1 << 22
_SAME = 1e-9
"""Scores closer than this are the same; a sum may be rounded in another order."""


class Interval(NamedTuple):
    """Where 95 % of the resampled scores lie."""

    low: float
    high: float


class Difference(NamedTuple):
    """The difference of a system and a baseline, with its interval and p-value."""

    value: float
    interval: Interval
    p_value: float
    """How often chance alone gives such a difference."""


def resample(
    statistics: Mapping[str, Statistics], *, samples: int = SAMPLES, seed: int = SEED
) -> dict[str, Floats]:
    """Score each metric on test sets drawn from the sentences with replacement: (samples,) each."""
    if not statistics or samples < 1:
        return {}
    (rows,) = {len(metric) for metric in statistics.values()}
    scores: dict[str, list[Floats]] = {name: [] for name in statistics}
    for drawn in _times_drawn(rows, samples, seed):
        times = drawn.astype(np.float64)
        for name, metric in statistics.items():
            scores[name].append(metric.values(metric.sums(times)))
    return {name: np.concatenate(parts) for name, parts in scores.items()}


def interval(scores: Floats) -> Interval:
    """The middle 95 % of resampled scores; a resample without a score does not count. NaN where none has."""
    ordered = np.sort(scores[~np.isnan(scores)])
    if not len(ordered):
        return Interval(float("nan"), float("nan"))
    outside = len(ordered) // 40
    return Interval(float(ordered[outside]), float(ordered[len(ordered) - outside - 1]))


def difference(
    baseline: Statistics, system: Statistics, baseline_scores: Floats, system_scores: Floats
) -> Difference:
    """Compare two systems on one test set, given their scores on the same resamples."""
    value = system.value() - baseline.value()
    return Difference(
        value,
        interval(system_scores - baseline_scores),
        paired_p_value(value, baseline_scores, system_scores),
    )


def paired_p_value(observed: float, baseline: Floats, system: Floats) -> float:
    """The p-value of sacreBLEU's paired bootstrap test.

    How often a resampled difference lies further above the mean one than the observed difference above 0.
    Two systems that score the same on every resample get 1, where sacreBLEU gives its smallest value.
    """
    apart = np.abs(system - baseline)
    apart = apart[~np.isnan(apart)]
    if not np.any(apart > _SAME):
        return 1.0
    beyond = int(np.sum(apart - apart.mean() > abs(observed)))
    return (beyond + 1) / (len(apart) + 1)


def _times_drawn(rows: int, samples: int, seed: int) -> Iterator[npt.NDArray[np.intp]]:
    """How often each row is in each sample, some samples at a time: (samples, rows).

    The draws do not depend on how many are made together.
    """
    generator = np.random.default_rng(seed)
    together = max(1, _DRAWN_TOGETHER // rows)
    for first in range(0, samples, together):
        count = min(together, samples - first)
        drawn = generator.choice(rows, size=(count, rows), replace=True)
        drawn += np.arange(count)[:, None] * rows
        yield np.bincount(drawn.ravel(), minlength=count * rows).reshape(count, rows)
