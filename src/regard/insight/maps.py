"""An attention map: what was looked at while each word was written."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float32]
MapKind = Literal["cross"]


@dataclass(frozen=True, eq=False)
class AttentionMap:
    """Named rows (written) and columns (looked at), and the weights between them.

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

    def __post_init__(self) -> None:
        self.weights.setflags(write=False)

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
        return {
            "path": self.path,
            "kind": self.kind,
            "rows": list(self.rows),
            "columns": list(self.columns),
            "weights": [[round(float(w), 6) for w in row] for row in self.weights],
        }
