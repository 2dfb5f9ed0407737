"""Where alarms begin: thresholds that a dev set has fitted, or defaults; as JSON, and back."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from regard.analysis.alarm_features import Floats, total_variation_to_uniform, wasserstein_to_all

NEAREST = 4
"""The k of Wass-to-Data: distances to so many of the nearest references are averaged."""
SIMILAR = 0.1
"""The share by which the length of a reference may differ."""
MOST_COMPARED = 200
"""References that one sentence is compared with."""
MOST_REFERENCES = 1000
FALLBACK = 0.999
"""Of Wass-to-Unif on good pairs: beyond this quantile it speaks in place of Wass-to-Data."""
_DECIMALS = 5


@dataclass(frozen=True, slots=True)
class Limit:
    """Of one alarm: what a score must be above, and what a step beyond that is."""

    threshold: float
    scale: float = 1.0

    def severity(self, score: float) -> float:
        """1 at the threshold, 2 one scale beyond it."""
        return 1.0 + (score - self.threshold) / self.scale


@dataclass(frozen=True)
class AttentionReference:
    """How the attention of good translations lies, for Wass-to-Data and for the combination of both."""

    masses: tuple[Floats, ...]
    fallback: float = math.inf
    """Of Wass-to-Unif: above this it counts alone."""
    uniform_range: tuple[float, float] = (0.0, 1.0)
    data_range: tuple[float, float] = (0.0, 1.0)
    """Smallest and largest value of both on good translations, which make them comparable."""

    @classmethod
    def fitted(cls, masses: Sequence[Floats]) -> "AttentionReference":
        """That of good translations; each is compared with the others."""
        kept = tuple(np.round(mass, _DECIMALS) for mass in masses[:MOST_REFERENCES])
        bare = cls(kept)
        uniform = [total_variation_to_uniform(mass) for mass in kept]
        data = [bare.to_data(mass, but=place) for place, mass in enumerate(kept)]
        fallback = float(np.quantile(uniform, FALLBACK, method="higher"))
        return cls(kept, fallback, (min(uniform), max(uniform)), (min(data), max(data)))

    def to_data(self, mass: Floats, but: int | None = None) -> float:
        """Wass-to-Data: the mean distance to the nearest references of similar length.

        but: a reference that is left out
        """
        sizes = np.array([len(own) for own in self.masses], dtype=np.float64)
        apart = np.abs(sizes - len(mass)) / len(mass)
        if but is not None:
            apart[but] = math.inf
        order = np.argsort(apart, kind="stable")
        near = int((apart <= SIMILAR).sum())
        chosen = order[: min(MOST_COMPARED, max(near, NEAREST), len(order) - (but is not None))]
        found = np.sort(wasserstein_to_all(mass, [self.masses[place] for place in chosen]))
        return float(found[:NEAREST].mean()) if len(found) else 0.0

    def combined(self, mass: Floats) -> float:
        """Wass-Combo: Wass-to-Data; where Wass-to-Unif is beyond its threshold, that, in the same range."""
        uniform = total_variation_to_uniform(mass)
        if uniform <= self.fallback:
            return self.to_data(mass)
        (low, high), (least, most) = self.uniform_range, self.data_range
        return least + (uniform - low) / max(high - low, 1e-9) * (most - least)


@dataclass(frozen=True)
class AlarmThresholds:
    """All that alarms need to know beside an output."""

    limits: Mapping[str, Limit]
    token_limit: float = math.log(0.01)
    """A token with a smaller log-probability is one of a low-confidence span."""
    length_ratio: float = 1.0
    """Characters of an output for each of its source."""
    scripts: frozenset[str] | None = None
    """Those that outputs are written in; None asks the vocabulary."""
    reference: AttentionReference | None = None
    rows: int = 0
    """Of the dev set; 0 where nothing was fitted."""
    rate: float = 0.0
    """The share of good outputs that each alarm may be wrong about."""
    data: str = ""
    """What they were fitted on."""
    task: str = ""
    missing: tuple[str, ...] = field(default=())
    """Alarms for which the dev set had nothing to fit."""

    @property
    def is_fitted(self) -> bool:
        """Whether a dev set says where alarms begin."""
        return self.rows > 0

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        reference = self.reference and {
            "masses": [mass.tolist() for mass in self.reference.masses],
            "fallback": self.reference.fallback,
            "uniform_range": list(self.reference.uniform_range),
            "data_range": list(self.reference.data_range),
        }
        return {
            "task": self.task,
            "data": self.data,
            "rows": self.rows,
            "rate": self.rate,
            "limits": {name: [own.threshold, own.scale] for name, own in self.limits.items()},
            "token_limit": self.token_limit,
            "length_ratio": self.length_ratio,
            "scripts": None if self.scripts is None else sorted(self.scripts),
            "reference": reference,
            "missing": list(self.missing),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "AlarmThresholds":
        """What `to_dict` made; a ValueError, KeyError or TypeError where it did not."""
        told = values["reference"]
        reference = told and AttentionReference(
            tuple(_distribution(mass) for mass in told["masses"]),
            float(told["fallback"]),
            _range(told["uniform_range"]),
            _range(told["data_range"]),
        )
        limits = {str(name): Limit(*map(_finite, own)) for name, own in values["limits"].items()}
        if any(limit.scale <= 0 for limit in limits.values()):
            raise ValueError("scale")
        return cls(
            limits,
            _finite(values["token_limit"]),
            _finite(values["length_ratio"]),
            None if values["scripts"] is None else frozenset(map(str, values["scripts"])),
            reference or None,
            int(values["rows"]),
            _finite(values["rate"]),
            str(values["data"]),
            str(values["task"]),
            tuple(map(str, values["missing"])),
        )


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{value}")
    return number


def _range(value: Sequence[Any]) -> tuple[float, float]:
    low, high = map(_finite, value)
    return low, high


def _distribution(values: Any) -> Floats:
    mass = np.asarray(values, dtype=np.float64)
    if mass.ndim != 1 or not len(mass) or not np.isfinite(mass).all():
        raise ValueError("masses")
    return mass
