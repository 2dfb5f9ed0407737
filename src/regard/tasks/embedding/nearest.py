"""The texts that are nearest to some others, by the cosine of their vectors."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regard.errors import DataError
from regard.tasks.embedding.result import Embedding

Vectors = NDArray[np.float32]
_AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A text that was found."""

    number: int
    """Which of the texts, from 1."""
    source: str
    cosine: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {"line": self.number, "source": self.source, "cosine": round(self.cosine, 6)}


def nearest(queries: Vectors, texts: Iterable[Embedding], *, n_best: int = 5) -> list[list[Neighbour]]:
    """The texts nearest to each query, (q, width), nearest first; of two as near, the earlier one first.

    However many texts there are, only those that are near are held. Texts without words are passed over.
    """
    if n_best < 1:
        raise DataError(f"n_best: expected 1 text or more to find, found {n_best}")
    asked = _directions(queries)
    found: list[list[Neighbour]] = [[] for _ in asked]
    held: list[tuple[int, Embedding]] = []
    for number, text in enumerate(texts, start=1):
        if text.source.strip():
            held.append((number, text))
        if len(held) == _AT_ONCE:
            found = _nearer(asked, found, held, n_best)
            held = []
    return _nearer(asked, found, held, n_best) if held else found


def _nearer(
    asked: Vectors, found: list[list[Neighbour]], held: list[tuple[int, Embedding]], n_best: int
) -> list[list[Neighbour]]:
    cosines = asked @ _directions(np.stack([text.vector for _, text in held])).T
    nearer = []
    for own, row in zip(found, cosines, strict=True):
        best = np.argsort(-row, kind="stable")[:n_best]
        new = [Neighbour(held[place][0], held[place][1].source, float(row[place])) for place in best]
        nearer.append(sorted([*own, *new], key=lambda one: (-one.cosine, one.number))[:n_best])
    return nearer


def _directions(vectors: Vectors) -> Vectors:
    lengths: Vectors = np.linalg.norm(vectors, axis=1, keepdims=True)
    directions: Vectors = vectors / lengths.clip(min=1e-12)
    return directions
