"""Texts as numbers that can be compared by the million: eight bytes for what a text says, four for how.

The form of a text leaves out case, spacing, punctuation and the values of numbers; two texts of one form are
near duplicates. The variant tells texts of one form apart. Python's own hash is salted, so it is not used.
"""

import hashlib
import re
import zlib
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]

_SHORTEST_FORM = 6
"""Letters; what is shorter (a number, OK?) is compared as it is."""
_ASCII = {code: None for code in range(128) if not chr(code).isalnum()} | dict.fromkeys(range(48, 58), "0")
_NOT_WORD = re.compile(r"[\W_]+")
_DIGITS = re.compile(r"\d+")
_ZEROS = re.compile("00+")
_BLOCK = 1 << 16
_ODD = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(29)


class Key(NamedTuple):
    """A text in twelve bytes."""

    form: bytes
    variant: int


def key_of(text: str) -> Key:
    """The key of a text."""
    raw = text.encode("utf-8", "surrogatepass")
    form = normal_form(text)
    content = form.encode("utf-8", "surrogatepass") if len(form) >= _SHORTEST_FORM else b"\x00" + raw
    return Key(hashlib.blake2b(content, digest_size=8).digest(), zlib.crc32(raw))


def normal_form(text: str) -> str:
    """The letters of a text in lower case, and 0 for each number."""
    folded = text.casefold()
    if folded.isascii():
        plain = folded.translate(_ASCII)
        return _ZEROS.sub("0", plain) if "00" in plain else plain
    plain = _NOT_WORD.sub("", folded)
    return _DIGITS.sub("0", plain) if _DIGITS.search(plain) else plain


def mixed(first: Keys, second: NDArray[np.uint64] | NDArray[np.uint32], *, in_place: bool = False) -> Keys:
    """One key for two: equal where both are, else but for chance (2⁻⁶⁴ a pair) not.

    in_place: write over `first`, to save memory
    """
    keys = first if in_place else np.empty_like(first)
    for start in range(0, len(first), _BLOCK):
        part = slice(start, start + _BLOCK)
        joined = first[part] * _ODD + (second[part].astype(np.uint64) + _ODD) * _MIX
        keys[part] = (joined ^ (joined >> _SHIFT)) * _MIX
    return keys


Indices = NDArray[np.int32]
"""Numbers of rows, counted from 0."""


class Repeats(NamedTuple):
    """Rows whose key stood before, and the first row that has it."""

    later: Indices
    first: Indices


def repeats(keys: Keys) -> Repeats:
    """The rows whose key stood before, in order.

    Beside the keys, one sorted copy of them is held for a moment, then eight bytes for each row found.
    """
    twice = _values_that_repeat(keys)
    first_of = np.full(len(twice), -1, dtype=np.int32)
    later, first = [_NO_ROWS], [_NO_ROWS]
    for rows, values in _blocks_in(keys, twice):
        # The rows backwards: where a value stands twice in a block, its first row is written last.
        new = np.flatnonzero(first_of[values] < 0)[::-1]
        first_of[values[new]] = rows[new]
        is_later = first_of[values] != rows
        later.append(rows[is_later])
        first.append(first_of[values[is_later]])
    return Repeats(np.concatenate(later), np.concatenate(first))


def rows_in(keys: Keys, values: Keys) -> Indices:
    """The rows whose key is one of these sorted values."""
    return np.concatenate([_NO_ROWS, *(rows for rows, _ in _blocks_in(keys, values))])


_NO_ROWS = np.empty(0, dtype=np.int32)


def _values_that_repeat(keys: Keys) -> Keys:
    ordered = np.sort(keys)
    return np.unique(ordered[1:][ordered[1:] == ordered[:-1]])


def _blocks_in(keys: Keys, values: Keys) -> Iterator[tuple[Indices, NDArray[np.intp]]]:
    """The rows whose key is one of these sorted values, and which, a block at a time."""
    if not len(values):
        return
    for start in range(0, len(keys), _BLOCK):
        block = keys[start : start + _BLOCK]
        places = np.searchsorted(values, block)
        places[places == len(values)] = 0
        rows = np.flatnonzero(values[places] == block)
        yield (rows + start).astype(np.int32), places[rows]
