"""Edits as plain values, for JSON: what a request, a link or a file holds. Read and written here alone.

An edit is a mapping with the name of the function that makes it, and that function's arguments:

    {"edit": "mask", "words": ["책을"]}                          also where, renormalise
    {"edit": "mask_window", "first": 0, "last": 2}               the same
    {"edit": "reweight", "words": [1], "factor": 0.5}            the same
    {"edit": "remove", "words": ["책을"]}
    {"edit": "mask_head", "path": "decoder.layers.0.cross_attention", "head": 2}
    {"edit": "mask_layer", "path": "decoder.layers.0.cross_attention"}
    {"edit": "force_row", "row": 2, "column": "책을"}            also path
    {"edit": "force_prefix", "text": "I read"}
    {"edit": "transplant", "source": "그는 달을 봤다."}          also target, kind
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from regard.errors import DataError, did_you_mean
from regard.insight import edits
from regard.insight.edits import MOST_WORDS, Edit, Where, Word
from regard.insight.maps import MapKind
from regard.insight.record import AttentionRecord

MOST_EDITS = 64
"""Of one request."""
MOST_FACTOR = 1_000.0
"""What a weight is multiplied by."""
MOST_CHARACTERS = 10_000
"""Of a text."""
MOST_HEADS = 1_024

Donor = Callable[[str, str | None], AttentionRecord]
"""A source, and maybe its target -> its attention, for a transplant."""


def edit_to_dict(edit: Edit) -> dict[str, Any]:
    """Plain values, for JSON.

    >>> edit_to_dict(regard.mask("책을"))
    {'edit': 'mask', 'words': ['책을'], 'where': 'cross', 'renormalise': True}
    """
    if isinstance(edit, edits.Reweight):
        factor = {} if edit.factor == 0 else {"factor": edit.factor}
        told = {"words": list(edit.words), **factor, "where": edit.where, "renormalise": edit.renormalise}
        return {"edit": "reweight" if factor else "mask", **told}
    if isinstance(edit, edits.Remove):
        return {"edit": "remove", "words": list(edit.words)}
    if isinstance(edit, edits.MaskHead):
        head = {} if edit.head is None else {"head": edit.head}
        return {"edit": "mask_head" if head else "mask_layer", "path": edit.path, **head}
    if isinstance(edit, edits.ForceRow):
        path = {} if edit.path is None else {"path": edit.path}
        return {"edit": "force_row", "row": edit.row, "column": edit.column, **path}
    if isinstance(edit, edits.ForcePrefix):
        return {"edit": "force_prefix", "text": edit.text}
    source, target = edit.record.source, edit.record.target
    return {
        "edit": "transplant",
        "kind": edit.kind,
        "source": source.text if source else "",
        **({"target": target.text} if target else {}),
    }


def edit_from_dict(value: Any, *, donor: Donor | None = None, where: str = "edit") -> Edit:
    """An edit from plain values; what is no edit is refused, naming its place.

    donor: reads the attention that a transplant takes
    where: what the edit is called in an error

    >>> edit_from_dict({"edit": "mask", "words": ["책을"]}) == regard.mask("책을")
    True
    """
    given = _Fields(value, where)
    name = given.name()
    found = _READERS[name](given, donor)
    given.check_all_read(name)
    return found


def edits_from_list(value: Any, *, donor: Donor | None = None, where: str = "edits") -> tuple[Edit, ...]:
    """Several edits, that are made one after the other."""
    if not isinstance(value, list | tuple):
        raise DataError(f"{where}: expected a list of edits, found {_told(value)}")
    if len(value) > MOST_EDITS:
        raise DataError(f"{where}: expected at most {MOST_EDITS} edits, found {len(value):,}")
    return tuple(edit_from_dict(one, donor=donor, where=f"{where}[{n}]") for n, one in enumerate(value))


class _Fields:
    """The fields of one edit, each read once and checked."""

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, Mapping):
            raise DataError(
                f"{where}: expected an object such as {{'edit': 'mask', …}}, found {_told(value)}"
            )
        self._left, self._where = dict(value), where

    def name(self) -> str:
        """Which edit it is."""
        found = self._left.pop("edit", None)
        if not isinstance(found, str) or found not in _READERS:
            hint = did_you_mean(found if isinstance(found, str) else "", _READERS)
            raise DataError(f"{self._where}.edit: unknown edit {_told(found)}; {hint}")
        return found

    def check_all_read(self, name: str) -> None:
        """Refuse fields that the edit does not have."""
        if self._left:
            field = str(next(iter(self._left)))[:30]
            raise DataError(f"{self._where}: {name} has no field '{field}'")

    def whole(self, field: str, most: int, default: Any = ...) -> Any:
        """A number from 0."""
        found = self._take(field, default)
        if found is default:
            return found
        if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found <= most:
            raise self._wrong(field, f"a whole number from 0 to {most:,}", found)
        return found

    def number(self, field: str, most: float) -> float:
        """A number from 0 that has a fraction."""
        found = self._take(field)
        is_number = isinstance(found, int | float) and not isinstance(found, bool)
        if not is_number or not (0 <= found <= most) or not math.isfinite(found):
            raise self._wrong(field, f"a number from 0 to {most:g}", found)
        return float(found)

    def text(self, field: str, default: Any = ...) -> Any:
        """A text that is not too long."""
        found = self._take(field, default)
        if found is default:
            return found
        if not isinstance(found, str) or len(found) > MOST_CHARACTERS:
            raise self._wrong(field, f"a text of at most {MOST_CHARACTERS:,} characters", found)
        return found

    def choice(self, field: str, among: Sequence[str], default: str) -> Any:
        """One of some names."""
        found = self._take(field, default)
        if found not in among:
            raise self._wrong(field, " or ".join(among), found)
        return found

    def switch(self, field: str, *, default: bool) -> bool:
        """True or false."""
        found = self._take(field, default)
        if not isinstance(found, bool):
            raise self._wrong(field, "true or false", found)
        return found

    def word(self, field: str) -> Word:
        """A word: its text, or its number."""
        return self._word(field, self._take(field))

    def words(self) -> tuple[Word, ...]:
        """One word or several."""
        if "word" in self._left:
            return (self.word("word"),)
        found = self._take("words")
        if not isinstance(found, list | tuple) or not 1 <= len(found) <= MOST_WORDS:
            raise self._wrong("words", "a list of words", found)
        return tuple(self._word(f"words[{n}]", one) for n, one in enumerate(found))

    def _word(self, field: str, found: Any) -> Word:
        if isinstance(found, str) and len(found) <= MOST_CHARACTERS:
            return found
        if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= MOST_WORDS:
            return found
        raise self._wrong(field, f"a word, or its number from 0 to {MOST_WORDS:,}", found)

    def _take(self, field: str, default: Any = ...) -> Any:
        found = self._left.pop(field, default)
        if found is ...:
            raise DataError(f"{self._where}.{field}: is missing")
        return found

    def _wrong(self, field: str, expected: str, found: Any) -> DataError:
        return DataError(f"{self._where}.{field}: expected {expected}, found {_told(found)}")


def _how(given: _Fields) -> tuple[Where, bool]:
    """Which rows lose weight, and whether they are scaled up again."""
    where: Where = given.choice("where", get_args(Where), "cross")
    return where, given.switch("renormalise", default=True)


def _mask(given: _Fields, donor: Donor | None) -> Edit:
    del donor
    return edits.Reweight(given.words(), 0.0, *_how(given))


def _mask_window(given: _Fields, donor: Donor | None) -> Edit:
    del donor
    first, last = given.whole("first", MOST_WORDS), given.whole("last", MOST_WORDS)
    where, renormalise = _how(given)
    return edits.mask_window(first, last, where=where, renormalise=renormalise)


def _reweight(given: _Fields, donor: Donor | None) -> Edit:
    del donor
    return edits.Reweight(given.words(), given.number("factor", MOST_FACTOR), *_how(given))


def _remove(given: _Fields, donor: Donor | None) -> Edit:
    del donor
    return edits.Remove(given.words())


def _mask_head(given: _Fields, donor: Donor | None) -> Edit:
    del donor
    return edits.mask_head(given.text("path"), given.whole("head", MOST_HEADS))


def _mask_layer(given: _Fields, donor: Donor | None) -> Edit:
    del donor
    return edits.mask_layer(given.text("path"))


def _force_row(given: _Fields, donor: Donor | None) -> Edit:
    del donor
    row = given.whole("row", MOST_WORDS)
    return edits.force_row(row, given.word("column"), path=given.text("path", None))


def _force_prefix(given: _Fields, donor: Donor | None) -> Edit:
    del donor
    return edits.force_prefix(given.text("text"))


def _transplant(given: _Fields, donor: Donor | None) -> Edit:
    kind: MapKind = given.choice("kind", get_args(MapKind), "cross")
    source, target = given.text("source"), given.text("target", None)
    if donor is None:
        raise DataError("a transplant needs a model that reads the other sentence; make it with transplant()")
    return edits.transplant(donor(source, target), kind=kind)


_READERS: Mapping[str, Callable[[_Fields, Donor | None], Edit]] = {
    "mask": _mask,
    "mask_window": _mask_window,
    "reweight": _reweight,
    "remove": _remove,
    "mask_head": _mask_head,
    "mask_layer": _mask_layer,
    "force_row": _force_row,
    "force_prefix": _force_prefix,
    "transplant": _transplant,
}
EDIT_NAMES = tuple(_READERS)


def _told(value: Any) -> str:
    """A value that is no edit, shortened."""
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return f"'{value[:30]}'"
    if isinstance(value, bool | int | float):
        return str(value)[:30]
    return f"{'an object' if isinstance(value, Mapping) else 'a list'}"
