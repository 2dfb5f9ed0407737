"""Rows beside all other rows: those that repeat another, and training rows that stand in dev or test."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from regard.doctor.groups import Group, KeyOf, Match
from regard.doctor.keys import Indices, Keys, repeats, rows_in
from regard.doctor.ledger import Ledger
from regard.doctor.ratio import out_of_proportion

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
