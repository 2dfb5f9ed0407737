"""Attention maps: the weights over input words for each output word."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from regard.nn.attention_kinds import AttentionKind

if TYPE_CHECKING:
    from regard.insight.record import AttentionRecord

Weights = NDArray[np.float32]
MapKind = AttentionKind
Unit = Literal["words", "tokens", "morphemes"]
"""What a row or a column is. A word is a run between spaces, punctuation apart (in Korean an eojeol)."""
Reduce = Literal["mean", "max"]
"""How several maps become one: the mean, or the largest weight (whose rows need not sum to 1)."""
KIND_NAMES: dict[MapKind, str] = {
    "cross": "cross-attention",
    "encoder-self": "encoder self-attention",
    "decoder-self": "decoder self-attention",
    "hops": "attention hops",
    "memory": "memory attention",
}
_AXES: dict[MapKind, tuple[str, str]] = {
    "cross": ("output", "input"),
    "encoder-self": ("input", "input"),
    "decoder-self": ("decoder input", "decoder input"),
    "hops": ("hops", "input"),
    "memory": ("input", "input"),
}
"""What the rows and the columns of a kind of map are."""
_ROUNDING = 1e-4
"""Sums of 32-bit weights are nearer to 1 than this."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """Of how many layers and heads one map was made, and how."""

    by: Reduce
    layers: int
    heads: int


@dataclass(frozen=True, eq=False)
class AttentionMap:
    """Attention weights with named rows (queries) and columns (keys).

    A row of attention over the source is labelled by the token predicted; one of a decoder's self-attention
    by the token fed.

    It unpacks as `rows, columns, weights = map`.

    >>> model.look("나는 책을 읽었다.", "I read a book.").attention.words()
    AttentionMap(attention: I read a book . </s> ← 나는 책을 읽었다 . </s>)
    """

    path: str
    """Dotted path of the attention in the model."""
    kind: MapKind
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    weights: Weights
    """(rows, columns), read-only."""
    layer: int | None = None
    """Counted from 0; None where there are none to tell apart, or several were put together."""
    head: int | None = None
    """The same for heads."""
    hidden: Weights | None = None
    """(rows,): the weight of the special columns that are not shown; None where all are shown."""
    text: int = 0
    """Of a pair of texts: which one the columns are of, counted from 0."""
    unit: Unit = "words"
    """What rows and columns stand for."""
    reduced: Reduced | None = None
    """Where several layers or heads were put together; None for one map as the model computed it."""
    chosen: str = ""
    """The heads, in words, where they were chosen for word alignment."""

    def __post_init__(self) -> None:
        for values in (self.weights, self.hidden):
            if values is not None:
                values.setflags(write=False)

    @property
    def missing(self) -> Weights:
        """(rows,): what a row lacks to 1: it lies outside of a window, or an edit removed it; else 0.

        What is `hidden` is not missing; and before the first word there is nothing to attend to.
        """
        there = self.weights.sum(axis=1, dtype=np.float64) + (0.0 if self.hidden is None else self.hidden)
        lacks = 1.0 - there
        if self.kind in ("memory", "decoder-self") and not there[:1].any():
            lacks[:1] = 0.0
        return np.where(lacks < _ROUNDING, 0.0, lacks).astype(np.float32)

    @property
    def summary(self) -> str:
        """What the map shows: "cross-attention, mean of 6 layers and 8 heads"."""
        parts = [KIND_NAMES[self.kind]]
        if self.chosen:
            return f"{parts[0]}, chosen for word alignment: {self.chosen}"
        parts += [f"{name} {n}" for name, n in (("layer", self.layer), ("head", self.head)) if n is not None]
        if self.reduced is not None:
            counts = (("layers", self.reduced.layers), ("heads", self.reduced.heads))
            of = " and ".join(f"{count} {name}" for name, count in counts if count > 1)
            parts.append(f"{'mean' if self.reduced.by == 'mean' else 'maximum'} of {of}")
        return ", ".join(parts)

    @property
    def axes(self) -> tuple[str, str]:
        """What rows and columns are: ("output words", "input words")."""
        rows, columns = (name if name == "hops" else f"{name} {self.unit}" for name in _AXES[self.kind])
        return rows, columns

    @property
    def caption(self) -> str:
        """What a picture of the map says below it."""
        rows, columns = self.axes
        return f"{self.summary}; rows: {rows}, columns: {columns}"

    @property
    def missing_note(self) -> str:
        """Why rows do not sum to 1; nothing where all of them do."""
        lacks = self.missing
        if not lacks.any():
            return ""
        sums = dict.fromkeys(f"{1 - float(lack):.0%}" for lack in (lacks.max(), lacks.min()))
        return f"rows sum to {' to '.join(sums)}; the rest is outside of the window or removed by an edit"

    def __iter__(self) -> Iterator[Any]:
        return iter((self.rows, self.columns, self.weights))

    def __repr__(self) -> str:
        return f"AttentionMap({self.path}: {' '.join(self.rows)} ← {' '.join(self.columns)})"

    def _repr_svg_(self) -> str:
        """The map as a notebook shows it."""
        from regard.insight.svg import heat_map_svg

        return heat_map_svg(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, for JSON."""
        places = {"layer": self.layer, "head": self.head}
        hidden = {} if self.hidden is None else {"hidden": [round(float(w), 6) for w in self.hidden]}
        return {
            "path": self.path,
            "kind": self.kind,
            "unit": self.unit,
            **{name: place for name, place in places.items() if place is not None},
            **({} if self.reduced is None else {"reduced": asdict(self.reduced)}),
            **({"chosen": self.chosen} if self.chosen else {}),
            "rows": list(self.rows),
            "columns": list(self.columns),
            "weights": [[round(float(w), 6) for w in row] for row in self.weights],
            **hidden,
            **({"missing": [round(float(w), 6) for w in self.missing]} if self.missing.any() else {}),
        }


BETWEEN = "‖"
"""Stands between two texts that are shown side by side."""


def every_map(record: "AttentionRecord", unit: Unit) -> list[AttentionMap]:
    """One map for each layer and head; of two texts, those over each side by side."""
    maps = [record.words(unit, m.path, kind=m.kind, layer=m.layer, head=m.head) for m in record.maps()]
    texts = ([m for m in maps if m.text == text] for text in range(1 if record.second is None else 2))
    return [side_by_side_map(list(own)) for own in zip(*texts, strict=True)]


def main_maps(record: "AttentionRecord", unit: Unit) -> list[AttentionMap]:
    """The attention that says most about an output; where there are two texts, over each."""
    return [record.words(unit, text=text) for text in range(1 if record.second is None else 2)]


def side_by_side_map(maps: list[AttentionMap]) -> AttentionMap:
    """Maps with the same rows as one, their columns side by side. Its rows sum to what theirs do together."""
    first, *others = maps
    if not others:
        return first
    columns, weights = list(first.columns), [first.weights]
    for other in others:
        columns += [BETWEEN, *other.columns]
        weights += [np.zeros((len(first.rows), 1), dtype=np.float32), other.weights]
    path = " ".join(shown.path for shown in maps)
    return replace(first, path=path, columns=tuple(columns), weights=np.concatenate(weights, axis=1))


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


def compared(record: "AttentionRecord", unit: Unit) -> AttentionMap:
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
