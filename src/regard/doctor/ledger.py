"""What is kept of all rows of an input: at most a few dozen bytes a row, in arrays."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regard.doctor.examine import Chunk
from regard.doctor.inputs import Role
from regard.doctor.keys import Keys, mixed

MOST_LABELS = 10_000
"""A column with more values is no label; they are not counted further, to save memory."""
_COLUMNS = ("numbers", "flags", "labels")
_SIDE_COLUMNS = ("forms", "variants", "lengths")
_TYPES: dict[str, type[np.generic]] = {
    "numbers": np.uint32,
    "flags": np.uint8,
    "labels": np.uint32,
    "forms": np.uint64,
    "variants": np.uint32,
    "lengths": np.uint32,
}
_STEP = 1 << 17
"""Rows by which a column grows."""


@dataclass(eq=False)
class Ledger:
    """The rows of one input in their order. Rows that could not be read are not among them."""

    name: str
    role: Role
    sides: int
    words: list[int] = field(init=False)
    label_counts: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    """Rows that could not be read."""

    def __post_init__(self) -> None:
        self.words = [0] * self.sides
        self._columns: dict[tuple[str, int], _Column] = {}

    def append(self, chunk: Chunk) -> None:
        """Add the rows of a chunk."""
        for name in _COLUMNS:
            self._column(name).append(getattr(chunk, name))
        for name in _SIDE_COLUMNS:
            for side, part in enumerate(getattr(chunk, name)):
                self._column(name, side).append(part)
        self.words = [before + more for before, more in zip(self.words, chunk.words, strict=True)]
        if len(self.label_counts) < MOST_LABELS:
            self.label_counts.update(chunk.label_counts)

    def __len__(self) -> int:
        return len(self.numbers)

    def _column(self, name: str, side: int = 0) -> "_Column":
        return self._columns.setdefault((name, side), _Column(_TYPES[name]))

    @property
    def numbers(self) -> NDArray[np.uint32]:
        """The line of each row."""
        return self._column("numbers").rows()

    @property
    def flags(self) -> NDArray[np.uint8]:
        """Which rows have something to repair, or for which they may be dropped."""
        return self._column("flags").rows()

    @property
    def labels(self) -> NDArray[np.uint32]:
        """The label of each row; empty where there are none."""
        return self._column("labels").rows()

    def lengths(self, side: int) -> NDArray[np.uint32]:
        """Characters of each text."""
        return self._column("lengths", side).rows()

    def near_key(self, side: int) -> Keys:
        """Equal for texts of one form."""
        return self._column("forms", side).rows()

    def exact_key(self, side: int) -> Keys:
        """Equal for equal texts."""
        return mixed(self._column("forms", side).rows(), self._column("variants", side).rows())

    def near_row_key(self) -> Keys:
        """Equal for rows all of whose texts are of one form."""
        first = self.near_key(0)
        return first if self.sides == 1 else mixed(first, self.near_key(1))

    def row_key(self) -> Keys:
        """Equal for rows with equal texts."""
        first = self.exact_key(0)
        return first if self.sides == 1 else mixed(first, self.exact_key(1), in_place=True)

    def labelled_key(self, key: Keys) -> Keys:
        """Equal where the key and the label are; the key itself where there are no labels."""
        return mixed(key, self.labels) if len(self.labels) else key


class _Column:
    """An array that grows where it is: parts that are joined in the end would take twice the memory."""

    def __init__(self, kind: type[np.generic]) -> None:
        self._array: NDArray[Any] = np.empty(0, dtype=kind)
        self._used = 0

    def append(self, part: NDArray[Any]) -> None:
        end = self._used + len(part)
        if end > len(self._array):
            self._array.resize(max(end, len(self._array) + _STEP), refcheck=False)
        self._array[self._used : end] = part
        self._used = end

    def rows(self) -> NDArray[Any]:
        return self._array[: self._used]
