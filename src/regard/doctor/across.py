"""Rows beside all other rows: duplicates, leaks into dev or test, lengths out of proportion."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from regard.doctor.keys import Indices, Keys, repeats, rows_in
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


SMOOTHING = 10
"""Characters added to both lengths: one syllable more says much about OK, nothing about a sentence."""
WIDTH = 6.0
"""How many (scaled) median absolute deviations from the median are too far; in a normal distribution, one row
in five hundred million lies beyond."""
FEWEST_ROWS = 100
"""Fewer rows have no usual ratio."""
_SCALE = 1.4826
"""Makes the median absolute deviation the standard deviation of a normal distribution."""
_NARROWEST = 0.1
"""The least deviation (10 %), so that a corpus of equal lengths does not call everything else an outlier."""


def out_of_proportion(group: Group) -> Match:
    """Rows whose ratio of lengths is far from the usual one, the farthest first.

    Outliers do not move a median, so it needs no cleaning before.
    """
    distances = np.concatenate([_log_ratio(ledger) for ledger in group.ledgers])
    known = ~np.isnan(distances)
    if np.count_nonzero(known) < FEWEST_ROWS:
        return Match("length-ratio", group, np.empty(0, dtype=np.int32))
    distances -= np.median(distances[known])
    np.abs(distances, out=distances)
    deviation = max(_NARROWEST, _SCALE * float(np.median(distances[known])))
    rows = np.flatnonzero(distances > WIDTH * deviation).astype(np.int32)
    return Match("length-ratio", group, rows[np.argsort(-distances[rows], kind="stable")])


def _log_ratio(ledger: Ledger) -> NDArray[np.float32]:
    source, target = (ledger.lengths(side).astype(np.float32) for side in (0, 1))
    empty = (source == 0) | (target == 0)
    target += SMOOTHING
    source += SMOOTHING
    target /= source
    np.log(target, out=target)
    target[empty] = np.nan
    return target


SHORT_LEAK = 15
"""Characters; what is shorter is likely to stand in any text."""
_FIRST: KeyOf = lambda ledger: ledger.exact_key(0)  # noqa: E731
_SECOND: KeyOf = lambda ledger: ledger.exact_key(1)  # noqa: E731


def compare(ledgers: Sequence[Ledger], *, translation: bool) -> list[Match]:
    """Everything that shows only in the company of other rows."""
    train, dev, test = (Group.of(ledgers, role) for role in ("train", "dev", "test"))
    matches = [*_repeated(train, translation=translation)]
    for held_out in (dev, test):
        if held_out.ledgers:
            later, first = repeats(held_out.keys(_labelled_row))
            matches.append(Match("duplicate-held-out", held_out, later, first, held_out))
    matches += _leaks(train, Group(dev.ledgers + test.ledgers), translation=translation)
    if dev.ledgers and test.ledgers:
        leaked = Match("leak-held-out", dev, *_found(dev, test, Ledger.row_key), test)
        matches.append(leaked.only(_is_long(dev, leaked.rows, range(dev.ledgers[0].sides))))
    if translation:
        matches.append(out_of_proportion(Group(tuple(ledgers))))
    return [match for match in matches if len(match.rows)]


def _labelled_row(ledger: Ledger) -> Keys:
    return ledger.labelled_key(ledger.row_key())


def _labelled_near_row(ledger: Ledger) -> Keys:
    return ledger.labelled_key(ledger.near_row_key())


def _repeated(train: Group, *, translation: bool) -> Iterator[Match]:
    """Rows of training that repeat another."""
    if not train.ledgers:
        return
    later, first = repeats(train.keys(_labelled_row))
    known = np.zeros(len(train), dtype=np.bool_)
    known[later] = True
    yield Match("duplicate", train, later, first, train)
    keys: list[tuple[str, KeyOf]] = [("near-duplicate", _labelled_near_row)]
    if translation:
        keys += [("same-source", _FIRST), ("same-target", _SECOND)]
    for check, key in keys:
        later, first = repeats(train.keys(key))
        yield Match(check, train, later, first, train).without(known)
    labels = np.concatenate([ledger.labels for ledger in train.ledgers])
    if len(labels):
        later, first = repeats(train.keys(Ledger.row_key))
        conflicts = np.asarray(labels[later] != labels[first])
        yield Match("label-conflict", train, later, first, train).only(conflicts)


def _leaks(train: Group, held_out: Group, *, translation: bool) -> Iterator[Match]:
    """Rows of training that stand in dev or test: as a whole, with one side, or nearly; each counted once."""
    if not (train.ledgers and held_out.ledgers):
        return
    known = np.zeros(len(train), dtype=np.bool_)
    for check, key, sides in _leak_keys(train.ledgers[0].sides, translation=translation):
        rows, partners = _found(train, held_out, key)
        match = Match(check, train, rows, partners, held_out).without(known)
        known[match.rows] = True
        if check == "leak-near":
            yield match
            continue
        is_long = _is_long(train, match.rows, sides)
        yield _with_struck(match.only(is_long), key, sides)
        yield match.only(~is_long, "leak-short")


def _leak_keys(sides: int, *, translation: bool) -> list[tuple[str, KeyOf, Sequence[int]]]:
    """Check, key, and the sides that the key is about."""
    whole: list[tuple[str, KeyOf, Sequence[int]]] = [("leak", Ledger.row_key, range(sides))]
    if not translation:
        return [*whole, ("leak-near", Ledger.near_row_key, range(sides))]
    return [
        *whole,
        ("leak-side", _FIRST, [0]),
        ("leak-side", _SECOND, [1]),
        ("leak-near", lambda ledger: ledger.near_key(0), [0]),
        ("leak-near", lambda ledger: ledger.near_key(1), [1]),
    ]


def _with_struck(match: Match, key: KeyOf, sides: Sequence[int]) -> Match:
    """The match with the rows of dev and test that it spoils, if it is about whole rows."""
    others = match.partner_group
    if match.check != "leak" or others is None:
        return match
    struck, _ = _found(others, match.group, key)
    struck = struck[_is_long(others, struck, sides)]
    return Match(match.check, match.group, match.rows, match.partners, others, struck)


def _is_long(group: Group, rows: Indices, sides: Sequence[int]) -> NDArray[np.bool_]:
    """Which rows say enough to give something away: a greeting stands everywhere."""
    longest = np.max([group.lengths(side)[rows] for side in sides], axis=0, initial=0)
    return np.asarray(longest >= SHORT_LEAK)


def _found(group: Group, others: Group, key: KeyOf) -> tuple[Indices, Indices]:
    """The rows of a group whose key some row of the others has, and which."""
    theirs = others.keys(key)
    order = np.argsort(theirs, kind="stable")
    ordered = theirs[order]
    keys = group.keys(key)
    rows = rows_in(keys, ordered)
    return rows, order[np.searchsorted(ordered, keys[rows])].astype(np.int32)
