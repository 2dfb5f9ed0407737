"""What changed between two maps, word by word."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

import numpy as np

from regard.insight.maps import AttentionMap, Unit, Weights, main_maps, side_by_side_map
from regard.insight.record import AttentionRecord

Signed = tuple[str, str]
"""A word with "" where both sides have it, "−" where it is gone, "+" where it is new."""


@dataclass(frozen=True, eq=False)
class MapDifference:
    """After − before, over the words of either."""

    rows: tuple[Signed, ...]
    columns: tuple[Signed, ...]
    weights: Weights
    """(rows, columns); not a number where only one side has the row or the column."""


def difference(before: AttentionMap, after: AttentionMap) -> MapDifference:
    """Subtract two maps whose words may differ: a word counts as kept where a word diff keeps it."""
    rows, columns = word_diff(before.rows, after.rows), word_diff(before.columns, after.columns)
    weights = np.full((len(rows), len(columns)), np.nan, dtype=np.float32)
    for y, (_, _, old_row, new_row) in enumerate(rows):
        for x, (_, _, old_column, new_column) in enumerate(columns):
            if None not in (old_row, new_row, old_column, new_column):
                weights[y, x] = after.weights[new_row, new_column] - before.weights[old_row, old_column]
    return MapDifference(
        tuple((sign, label) for sign, label, _, _ in rows),
        tuple((sign, label) for sign, label, _, _ in columns),
        weights,
    )


def compared(record: AttentionRecord, unit: Unit) -> AttentionMap:
    """The attention over the source; a word that was removed from the source has no column."""
    found = []
    for shown in main_maps(record, unit):
        _, columns = record.sides(shown.kind, text=shown.text)
        there = np.flatnonzero(columns.shares(unit).sum(axis=0))
        kept = tuple(shown.columns[place] for place in there)
        found.append(replace(shown, columns=kept, weights=shown.weights[:, there]))
    return side_by_side_map(found)


def word_diff(before: Sequence[str], after: Sequence[str]) -> list[tuple[str, str, int | None, int | None]]:
    """Sign, word, and its place on either side; of a changed stretch the old words come first."""
    found: list[tuple[str, str, int | None, int | None]] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            found += [("", before[i], i, j) for i, j in zip(range(a, b), range(c, d), strict=True)]
        else:
            found += [("−", before[i], i, None) for i in range(a, b)]
            found += [("+", after[j], None, j) for j in range(c, d)]
    return found
