"""Sentences of a document, as many as there is room for, as one sequence.

The ids of a corpus lie one after the other, and a sequence is a piece of them: so where each one ends is all
that is held, 8 bytes each, however long the corpus is.
"""

import zlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regard.data.encoded import FlatIds, Ids

_ROWS_AT_ONCE = 1 << 18


def document_ends(flat: FlatIds, *, rows: bool) -> NDArray[np.int64]:
    """Where documents end, in tokens.

    Sentences on lines that follow each other are of one document: an empty line ends it, and so does a row
    that could not be used, for what is behind it does not follow what is before it.

    rows: each row is a document
    """
    found = []
    for first in range(0, len(flat.numbers), _ROWS_AT_ONCE):
        numbers = flat.numbers[first : first + _ROWS_AT_ONCE + 1]
        ends = np.arange(len(numbers) - 1) if rows else np.flatnonzero(np.diff(numbers) != 1)
        found.append(flat.starts[first + ends + 1])
    return np.unique(np.concatenate([*found, flat.starts[-1:]]))


def sequence_ends(flat: FlatIds, documents: NDArray[np.int64], *, room: int) -> NDArray[np.int64]:
    """Where sequences end, in tokens: at the end of a sentence wherever one has room."""
    return np.fromiter(_ends(flat.starts, documents, room), np.int64)


def _ends(starts: NDArray[np.int64], documents: NDArray[np.int64], room: int) -> Iterator[int]:
    begin = 0
    for document in documents.tolist():
        while begin < document:
            end = begin + room
            if end >= document:
                end = document
            else:
                sentence = int(starts[np.searchsorted(starts, end, side="right") - 1])
                end = sentence if sentence > begin else end
            yield end
            begin = end


class Sequences:
    """The sequences of one corpus, by their number."""

    def __init__(self, flat: FlatIds, name: str, *, length: int, specials: int, rows: bool) -> None:
        """Find where they end.

        name:   of the corpus: `name:line` is the place of a sentence
        length: tokens of a sequence, the special ones included
        rows:   each row is a document
        """
        self._flat = flat
        self.name = name
        self._documents = document_ends(self._flat, rows=rows)
        self._ends = sequence_ends(self._flat, self._documents, room=length - specials)
        sizes = np.diff(self._ends, prepend=0) + specials - 1  # one more is what a plan counts on
        self.lengths: NDArray[np.uint32] = sizes.astype(np.uint32)[:, None]
        """(n, 1)"""

    def __len__(self) -> int:
        return len(self._ends)

    @property
    def key(self) -> str:
        """Tells these sequences of the same ids from others: an empty line elsewhere makes others."""
        return f"{zlib.crc32(self._ends.tobytes()):08x}{zlib.crc32(self._documents.tobytes()):08x}"

    @cached_property
    def documents(self) -> int:
        """How many documents there are that have a word."""
        return int((np.diff(self._documents, prepend=0) > 0).sum())

    def __getitem__(self, row: int) -> tuple[Ids, ...]:
        """The ids of each sentence of a sequence."""
        begin, end = self._span(row)
        starts = self._flat.starts
        first, last = np.searchsorted(starts, begin, side="right"), np.searchsorted(starts, end)
        cuts = np.unique(starts[first:last]) - begin
        return tuple(np.split(np.asarray(self._flat.ids[begin:end]), cuts))

    def document(self, row: int) -> int:
        """The document that a sequence is of."""
        return int(np.searchsorted(self._documents, self._span(row)[0], side="right"))

    def where(self, row: int) -> str:
        """`file:line` of the first sentence of a sequence."""
        sentence = int(np.searchsorted(self._flat.starts, self._span(row)[0], side="right")) - 1
        return f"{self.name}:{self._flat.numbers[sentence]}"

    def _span(self, row: int) -> tuple[int, int]:
        return (int(self._ends[row - 1]) if row else 0), int(self._ends[row])


def flat_of(sentences: list[list[int]], numbers: list[int]) -> FlatIds:
    """Sentences that are in memory."""
    sizes: list[Any] = [len(ids) for ids in sentences]
    starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)
    ids = np.array([token for one in sentences for token in one], np.int64)
    return FlatIds(ids, starts, np.array(numbers, np.int64))
