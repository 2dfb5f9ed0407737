"""Inputs of one role as one run of rows, and rows that were found in it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from regard.doctor.keys import Indices, Keys
from regard.doctor.ledger import Ledger

Place = tuple[Ledger, int]
"""An input, and a row of it, counted from 0."""
KeyOf = Callable[[Ledger], Keys]


@dataclass(frozen=True)
class Group:
    """Inputs of one role as one run of rows."""

    ledgers: tuple[Ledger, ...]

    @classmethod
    def of(cls, ledgers: Iterable[Ledger], role: str) -> "Group":
        """The inputs of a role that have rows."""
        return cls(tuple(ledger for ledger in ledgers if ledger.role == role and len(ledger)))

    def keys(self, of: KeyOf) -> Keys:
        """One key a row."""
        keys = [of(ledger) for ledger in self.ledgers]
        return keys[0] if len(keys) == 1 else np.concatenate(keys)

    def lengths(self, side: int) -> NDArray[np.uint32]:
        """Characters of a side, row by row."""
        lengths = [ledger.lengths(side) for ledger in self.ledgers]
        return lengths[0] if len(lengths) == 1 else np.concatenate(lengths)

    def place(self, row: int) -> Place:
        """The input of a row, and its number there."""
        for ledger in self.ledgers:
            if row < len(ledger):
                return ledger, row
            row -= len(ledger)
        raise IndexError(row)

    def split(self, rows: Indices) -> Iterator[tuple[Ledger, Indices]]:
        """Each input with those of the rows that are its own, as its own numbers."""
        start = 0
        for ledger in self.ledgers:
            yield ledger, rows[(rows >= start) & (rows < start + len(ledger))] - start
            start += len(ledger)

    def __len__(self) -> int:
        return sum(map(len, self.ledgers))

    def start_of(self, ledger: Ledger) -> int:
        """The first row of an input."""
        return sum(len(other) for other in self.ledgers[: self.ledgers.index(ledger)])


@dataclass(frozen=True)
class Match:
    """Rows that a check found, each with the row that it repeats, if it repeats one."""

    check: str
    group: Group
    rows: Indices
    partners: Indices | None = None
    partner_group: Group | None = None
    struck: Indices | None = None
    """The rows of `partner_group` that are repeated, where it matters how many."""

    def partner(self, place: int) -> Place | None:
        """What the row at this place in `rows` repeats."""
        if self.partners is None or self.partner_group is None:
            return None
        return self.partner_group.place(int(self.partners[place]))

    def only(self, wanted: NDArray[np.bool_], check: str | None = None) -> "Match":
        """Some of the rows; perhaps for another check."""
        partners = None if self.partners is None else self.partners[wanted]
        name = check or self.check
        return Match(name, self.group, self.rows[wanted], partners, self.partner_group, self.struck)

    def without(self, known: NDArray[np.bool_]) -> "Match":
        """The match without rows that another check has named.

        known: whether it has, for each row of the group
        """
        return self.only(~known[self.rows])
