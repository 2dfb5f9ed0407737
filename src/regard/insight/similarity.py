"""How the cosine of two texts is made up of their words."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.insight.maps import Weights


@dataclass(frozen=True, eq=False)
class SimilarityMap:
    """Words of one text in rows, of another in columns, and what each pair adds to their cosine.

    It unpacks as `rows, columns, values = map`.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Weights
    """(rows, columns), read-only; below 0 where a pair makes the texts less alike. They sum to the cosine."""
    cosine: float

    def __post_init__(self) -> None:
        self.values.setflags(write=False)

    @property
    def largest(self) -> float:
        """The largest amount that a pair adds or takes; never 0, so that it can be a scale."""
        return float(np.abs(self.values).max(initial=0.0)) or 1.0

    def pairs(self) -> list[tuple[str, str, float]]:
        """Every two words with what they add, the largest amount first."""
        order = np.argsort(-np.abs(self.values), axis=None, kind="stable")
        places = zip(*np.unravel_index(order, self.values.shape), strict=True)
        return [
            (self.rows[row], self.columns[column], float(self.values[row, column])) for row, column in places
        ]

    def __iter__(self) -> Iterator[Any]:
        return iter((self.rows, self.columns, self.values))

    def __repr__(self) -> str:
        return f"SimilarityMap({self.cosine:.4f}: {' '.join(self.rows)} · {' '.join(self.columns)})"

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, for JSON."""
        return {
            "rows": list(self.rows),
            "columns": list(self.columns),
            "values": [[round(float(value), 6) for value in row] for row in self.values],
        }
