"""Means over texts with their intervals, by the bootstrap of `regard evaluate`."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from regard.analysis.page import number_text
from regard.metrics.bootstrap import SAMPLES, SEED, Interval, interval, resample
from regard.metrics.statistics import mean_of


@dataclass(frozen=True)
class Estimate:
    """A mean over texts, and where 95 % of the means of resampled texts lie."""

    value: float
    interval: Interval
    texts: int
    resampled: tuple[float, ...] = field(default=(), repr=False, compare=False)
    """The means of resampled texts; the same draws for as many texts."""

    @classmethod
    def of(cls, values: npt.ArrayLike, *, samples: int = SAMPLES, seed: int = SEED) -> "Estimate":
        """Of a value for each text; a text that has none (NaN) does not count."""
        found = np.asarray(values, dtype=np.float64)
        found = found[~np.isnan(found)]
        if not len(found):
            return cls(math.nan, Interval(math.nan, math.nan), 0)
        drawn = resample({"mean": mean_of(found)}, samples=samples, seed=seed)
        means = drawn["mean"]
        return cls(float(found.mean()), interval(means), len(found), tuple(means.tolist()))

    @property
    def low(self) -> float:
        """The lower end."""
        return self.interval.low

    @property
    def high(self) -> float:
        """The upper end."""
        return self.interval.high

    def to_dict(self) -> dict[str, Any]:
        """Plain values; None where there is no number."""
        value, low, high = (
            None if math.isnan(own) else round(own, 6) for own in (self.value, *self.interval)
        )
        return {"value": value, "interval": [low, high], "texts": self.texts}

    def cells(self) -> list[str]:
        """The value and its interval, for a table."""
        if math.isnan(self.value):
            return ["–", ""]
        return [number_text(self.value), f"{number_text(self.low)} to {number_text(self.high)}"]
