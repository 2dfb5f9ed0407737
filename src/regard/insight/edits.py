"""Edits of attention (interventions): one small vocabulary for all models.

Three questions about a source word are different, and have different names:

    mask(word)               what if the decoder could not attend to it?
    mask(word, where="all")  what if nothing could attend to it, the encoder's own attention included?
    remove(word)             what if it had not been there at all?

The encoder has seen a masked word, and may carry it in other states; only a removed word is truly gone.

A mask leaves a row with less weight than it had. By default the row is scaled up again to the sum that it
had, as if the softmax had not seen the word; `renormalise=False` leaves the weight missing. A row that
attended to nothing else stays at 0 either way.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from regard.errors import DataError
from regard.insight.maps import MapKind
from regard.insight.record import AttentionRecord

Word = str | int
"""A source word: its text, or its number, counted from 0 as the columns of the word map are."""
Where = Literal["cross", "all"]
"""Cross-attention; or every attention over the source."""

MOST_WORDS = 100_000
"""More than any sentence has."""


@dataclass(frozen=True)
class Reweight:
    """The weight of source words is multiplied."""

    words: tuple[Word, ...]
    factor: float
    where: Where = "cross"
    renormalise: bool = True

    def __post_init__(self) -> None:
        if not (math.isfinite(self.factor) and self.factor >= 0):
            raise DataError(f"a weight is multiplied by 0 or more, found {self.factor}")
        if self.where not in ("cross", "all"):
            raise DataError(f"where must be cross or all, found '{self.where}'")

    def __str__(self) -> str:
        what = "mask" if self.factor == 0 else f"{self.factor:g} ×"
        place = "attention over the source" if self.where == "cross" else "every attention"
        rest = "rows renormalised" if self.renormalise else "rows not renormalised"
        return f"{what} {_listed(self.words)} in {place}, {rest}"


@dataclass(frozen=True)
class Remove:
    """The tokens of source words are taken out of the input."""

    words: tuple[Word, ...]

    def __str__(self) -> str:
        return f"remove {_listed(self.words)} from the input"


@dataclass(frozen=True)
class MaskHead:
    """A head, or all heads of a layer, is masked: its weights are 0, so it adds nothing."""

    path: str
    head: int | None = None

    def __str__(self) -> str:
        return f"mask {self.path}" + ("" if self.head is None else f", head {self.head}")


@dataclass(frozen=True)
class ForceRow:
    """All weight of a row goes to one source word, evenly over its tokens."""

    row: int
    column: Word
    path: str | None = None

    def __post_init__(self) -> None:
        if self.row < 0:
            raise DataError(f"a row is a target token, counted from 0, found {self.row}")

    def __str__(self) -> str:
        place = f" in {self.path}" if self.path else ""
        return f"row {self.row} looks at {_listed((self.column,))}{place}"


@dataclass(frozen=True)
class ForcePrefix:
    """The output begins with this."""

    text: str

    def __str__(self) -> str:
        return f"begin with '{self.text}'"


@dataclass(frozen=True)
class Transplant:
    """Rows are taken from another record, as far as it has some."""

    record: AttentionRecord
    kind: MapKind = "cross"

    def __str__(self) -> str:
        return f"{self.kind} attention of '{self.record.source.text if self.record.source else ''}'"


Edit = Reweight | Remove | MaskHead | ForceRow | ForcePrefix | Transplant
Edits = Edit | Sequence[Edit]
"""One edit, or several that are made one after the other."""
EachEdits = Edit | Sequence[Edits]
"""Of several inputs: one edit for all of them, or a list with an entry for each."""


def mask(word: Word, *, where: Where = "cross", renormalise: bool = True) -> Reweight:
    """What if this source word could not be attended to?

    word:        its text (all words with it; in Korean 학교 also finds 학교에서, if there is no 학교), or its
                 number
    where:       "cross": in cross-attention only; "all": in every attention over the source
    renormalise: scale each row up again to the sum that it had

    >>> model.translate("나는 책을 읽었다.", edit=regard.mask("책을")).before.text
    'I ...'
    """
    return Reweight((word,), 0.0, where, renormalise)


def mask_window(first: int, last: int, *, where: Where = "cross", renormalise: bool = True) -> Reweight:
    """The same for a run of source words, from number `first` to number `last`, both in it."""
    if not 0 <= first <= last <= MOST_WORDS:
        raise DataError(f"a window is a first and a last word, counted from 0, found {first} and {last}")
    return Reweight(tuple(range(first, last + 1)), 0.0, where, renormalise)


def reweight(word: Word, factor: float, *, where: Where = "cross", renormalise: bool = True) -> Reweight:
    """What if this source word got more attention, or less? Its weights are multiplied by `factor`."""
    return Reweight((word,), factor, where, renormalise)


def remove(word: Word) -> Remove:
    """What if this word had not been there? Its tokens are taken out; the others stay as they were cut."""
    return Remove((word,))


def mask_head(path: str, head: int) -> MaskHead:
    """What if this head, counted from 0, were masked? Its weights are 0; nothing is renormalised."""
    return MaskHead(path, head)


def mask_layer(path: str) -> MaskHead:
    """The same for all heads of an attention."""
    return MaskHead(path)


def force_row(row: int, column: Word, *, path: str | None = None) -> ForceRow:
    """What if, while target token number `row` is predicted, all attention were on this source word?

    row:  counted from 0, in tokens: what a word will be is not known before it is generated
    path: the attention that is meant; by default all over the source
    """
    return ForceRow(row, column, path)


def force_prefix(text: str) -> ForcePrefix:
    """What if the output began so?"""
    return ForcePrefix(text)


def transplant(record: AttentionRecord, *, kind: MapKind = "cross") -> Transplant:
    """What if it had the attention of another sentence? That must have as many source tokens."""
    return Transplant(record, kind)


def as_edits(edit: Edits | None) -> tuple[Edit, ...]:
    """The edits, in their order."""
    given = () if edit is None else (edit,) if isinstance(edit, Edit) else tuple(edit)
    for one in given:
        if not isinstance(one, Edit):
            raise DataError(f"expected edits, such as regard.mask('word'), found {one!r}")
    return given


def _listed(words: Sequence[Word]) -> str:
    return ", ".join(f"'{word}'" if isinstance(word, str) else f"word {word}" for word in words)
