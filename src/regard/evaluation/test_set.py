"""A test set: what is asked, what is right, and which rows belong together."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from regard.config.data import CorporaConfig, Corpus
from regard.data.pairs import Pair, read_pairs
from regard.data.rows import BadRows, Cell
from regard.errors import DataError
from regard.metrics.bleu import References
from regard.metrics.statistics import Rows
from regard.progress import say

LENGTH = "length"
"""The name of the groups by words of the source."""
_LONGEST = (5, 10, 15, 20, 30, 40, 60)
"""The last length of each group but the open one; the same for every corpus, so that they can be compared."""
_CONSTRUCTIONS = "constructions"
_EMPTY = "(empty)"
_MOST_GROUPS = 500

Groups = Mapping[str, Mapping[str, Rows]]
"""For each column the rows with each of its values."""


@dataclass(frozen=True)
class TestSet:
    """The rows of a test set, in order."""

    __test__ = False  # pytest: no test, whatever its name

    name: str
    pairs: tuple[Pair, ...]
    references: References
    groups: Groups

    @classmethod
    def of(
        cls, pairs: Sequence[Pair], *, by: Mapping[str, Sequence[Cell]] | None = None, others: int = 0
    ) -> "TestSet":
        """Make a test set of pairs.

        by:     for each column to group by, its cell in each row
        others: how many of the first further cells of a pair are references, too; an empty one is none
        """
        if not pairs:
            raise DataError("a test set needs rows, found none")
        names = dict.fromkeys(pair.where.rpartition(":")[0] for pair in pairs)
        references = [
            (pair.target, *(str(cell) for cell in pair.more[:others] if str(cell).strip())) for pair in pairs
        ]
        groups = {LENGTH: _by_length(pairs)}
        groups |= {column: _by_value(column, cells) for column, cells in (by or {}).items()}
        return cls(", ".join(names), tuple(pairs), references, groups)

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def sources(self) -> list[str]:
        """The texts to read."""
        return [pair.source for pair in self.pairs]


def read_test_set(
    corpus: Corpus,
    data: CorporaConfig,
    *,
    read: Callable[..., Iterator[Pair]] = read_pairs,
    by: Sequence[str] = (),
    other_references: Sequence[str] = (),
    name: str = "",
    quiet: bool = False,
) -> TestSet:
    """Read a test set with the columns to group by, and with those of further references.

    read: the reader of the task
    name: what to call the corpus if it has no rows
    """
    by = [column for column in dict.fromkeys(by) if column != LENGTH]
    bad = BadRows.of(data)
    pairs = list(read(corpus, data, split="test", bad=bad, more=[*other_references, *by]))
    if not pairs:
        raise DataError(f"{name or 'data.test'}: the corpus has no rows; there is nothing to evaluate on")
    if bad.met:
        say(f"{bad.met[0][0]}: {bad.met[0][1]}; bad rows left out: {len(bad.met):,}", quiet=quiet)
    first = len(other_references)
    columns = {column: [pair.more[first + place] for pair in pairs] for place, column in enumerate(by)}
    return TestSet.of(pairs, by=columns, others=first)


def _by_length(pairs: Sequence[Pair]) -> dict[str, Rows]:
    """Rows by the words of their source, short ones first."""
    lengths = np.array([len(pair.source.split()) for pair in pairs], dtype=np.intp)
    places = np.searchsorted(_LONGEST, lengths)
    names = [f"{low + 1}-{high}" for low, high in zip((0, *_LONGEST[:-1]), _LONGEST, strict=True)]
    names.append(f"{_LONGEST[-1] + 1}+")
    groups = {name: np.flatnonzero(places == place) for place, name in enumerate(names)}
    return {name: rows for name, rows in groups.items() if len(rows)}


def _by_value(column: str, cells: Sequence[Cell]) -> dict[str, Rows]:
    """Rows by their value, large groups first; a row with several values is in several groups."""
    rows: dict[str, list[int]] = {}
    for row, cell in enumerate(cells):
        for value in _values(column, cell):
            rows.setdefault(value, []).append(row)
    if len(rows) > _MOST_GROUPS:
        raise DataError(
            f"the column '{column}' has {len(rows):,} different values in {len(cells):,} rows, expected at "
            f"most {_MOST_GROUPS}; group by a column that many rows share"
        )
    ordered = sorted(rows, key=lambda value: (-len(rows[value]), value))
    return {value: np.array(rows[value], dtype=np.intp) for value in ordered}


def _values(column: str, cell: Cell) -> Sequence[str]:
    """The values of a cell: one, those of a list, or the constructions as the built-in world writes them."""
    if isinstance(cell, str) and column == _CONSTRUCTIONS:
        cell = tuple(cell.split(", "))
    values = (cell,) if isinstance(cell, str) else tuple(dict.fromkeys(cell))
    return [value.strip() or _EMPTY for value in values] or [_EMPTY]
