"""An attention map: what was looked at while each word was written."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regard.nn.kinds import AttentionKind

Weights = NDArray[np.float32]
MapKind = AttentionKind
_ROUNDING = 1e-4
"""Sums of 32-bit weights are nearer to 1 than this."""


@dataclass(frozen=True, eq=False)
class AttentionMap:
    """Named rows and columns (looked at), and the weights between them.

    A row of attention over the source is labelled by the token predicted; one of a writer's attention to
    itself by the token fed.

    It unpacks as `rows, columns, weights = map`.

    >>> model.look("나는 책을 읽었다.", "I read a book.").attention.words()
    AttentionMap(attention: I read a book . </s> ← 나는 책을 읽었다 . </s>)
    """

    path: str
    """Dotted path of the attention in the model."""
    kind: MapKind
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    weights: Weights
    """(rows, columns), read-only."""
    layer: int | None = None
    """Counted from 0; None where there are none to tell apart, or several were put together."""
    head: int | None = None
    """The same for heads."""
    hidden: Weights | None = None
    """(rows,): the weight of the special columns that are not shown; None where all are shown."""
    text: int = 0
    """Of a pair of texts: which one the columns are of, counted from 0."""

    def __post_init__(self) -> None:
        for values in (self.weights, self.hidden):
            if values is not None:
                values.setflags(write=False)

    @property
    def missing(self) -> Weights:
        """(rows,): what a row lacks to 1, taken by a Gaussian window or by an edit; 0 where nothing is.

        What is `hidden` is not missing; and before the first word there is nothing to look at.
        """
        there = self.weights.sum(axis=1, dtype=np.float64) + (0.0 if self.hidden is None else self.hidden)
        lacks = 1.0 - there
        if self.kind in ("memory", "decoder-self") and not there[:1].any():
            lacks[:1] = 0.0
        return np.where(lacks < _ROUNDING, 0.0, lacks).astype(np.float32)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.rows, self.columns, self.weights))

    def __repr__(self) -> str:
        return f"AttentionMap({self.path}: {' '.join(self.rows)} ← {' '.join(self.columns)})"

    def _repr_svg_(self) -> str:
        """The map as a notebook shows it."""
        from regard.insight.svg import heat_map_svg

        return heat_map_svg(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, for JSON."""
        places = {"layer": self.layer, "head": self.head}
        hidden = {} if self.hidden is None else {"hidden": [round(float(w), 6) for w in self.hidden]}
        return {
            "path": self.path,
            "kind": self.kind,
            **{name: place for name, place in places.items() if place is not None},
            "rows": list(self.rows),
            "columns": list(self.columns),
            "weights": [[round(float(w), 6) for w in row] for row in self.weights],
            **hidden,
            **({"missing": [round(float(w), 6) for w in self.missing]} if self.missing.any() else {}),
        }
