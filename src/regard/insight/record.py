"""The attention of one prediction, at token and at word level: one record for every model."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, overload

import numpy as np

from regard.errors import RegardError, did_you_mean
from regard.insight.alignment_heads import aligning_map
from regard.insight.maps import AttentionMap, MapKind, Reduce, Reduced, Unit, Weights
from regard.insight.token_axis import NO_TARGET, TokenAxis, merge_to_words, token_axes
from regard.store.alignment import AlignmentHeads

if TYPE_CHECKING:
    from pandas import DataFrame

MAIN: tuple[MapKind, ...] = ("cross", "hops", "decoder-self", "encoder-self", "memory")
"""Kinds of attention, those nearest to the output first."""


@dataclass(frozen=True, eq=False)
class LayerAttention:
    """All weights of one attention of a model."""

    path: str
    """Its dotted path."""
    kind: MapKind
    weights: Weights
    """(rows, columns) or (heads, rows, columns), in tokens."""
    layer: int | None = None
    text: int = 0
    """Of a pair of texts: which one is attended to, counted from 0."""


@dataclass(frozen=True, eq=False)
class AttentionRecord:
    """The attention of a model for one prediction.

    A row of attention over the source is labelled by the token predicted, a row of the decoder's
    self-attention by the token fed. There is always a record: where there is nothing to show, `reason` says
    why.
    """

    source: TokenAxis | None = None
    target: TokenAxis | None = None
    attentions: tuple[LayerAttention, ...] = ()
    """Every attention of the model, lower layers first."""
    reason: str | None = None
    engine: str = ""
    """What computed the weights."""
    second: TokenAxis | None = None
    """The second text of a pair."""
    heads: AlignmentHeads | None = None
    """The heads that were chosen for word alignment; then the main attention is theirs."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The attentions that there are, by their dotted paths."""
        return tuple(look.path for look in self.attentions)

    @property
    def main(self) -> MapKind:
        """The kind that says most about an output: cross-attention, hops, the decoder's self-attention, …"""
        there = [look.kind for look in self.attentions]
        return next((kind for kind in MAIN if kind in there), there[0] if there else "cross")

    def maps(self, *, specials: bool = True) -> tuple[AttentionMap, ...]:
        """Every map, token by token, as the model computed it: one a head.

        specials: False leaves the columns of <s> and </s> out, and tells their weight as `hidden`
        """
        return self.select(specials=specials)

    @overload
    def select(
        self,
        kind: MapKind | None = None,
        layer: int | None = None,
        head: int | None = None,
        reduce: None = None,
        *,
        path: str | None = None,
        specials: bool = True,
    ) -> tuple[AttentionMap, ...]: ...
    @overload
    def select(
        self,
        kind: MapKind | None = None,
        layer: int | None = None,
        head: int | None = None,
        *,
        reduce: Reduce,
        path: str | None = None,
        specials: bool = True,
    ) -> AttentionMap: ...
    def select(
        self,
        kind: MapKind | None = None,
        layer: int | None = None,
        head: int | None = None,
        reduce: Reduce | None = None,
        *,
        path: str | None = None,
        specials: bool = True,
    ) -> AttentionMap | tuple[AttentionMap, ...]:
        """The maps of one kind, layer, head or path, token by token; or one map made from them.

        reduce: "mean" or "max" of the maps that were selected; None gives them all

        >>> record = model.translate("나는 책을 읽었다.").attention
        >>> record.select("cross", reduce="mean")
        AttentionMap(attention: ... </s> ← ▁... </s>)
        """
        found = self._found(kind, layer, head, path)
        chosen = found if reduce is None else (self._reduced(found, reduce),)
        maps = tuple(m if specials else self._without_specials(m) for m in chosen)
        return maps if reduce is None else maps[0]

    def tokens(self, *, text: int = 0) -> AttentionMap:
        """The main attention over the source, token by token; of several heads and layers, the mean.

        text: of a pair, which one, counted from 0
        """
        return self.words("tokens", text=text)

    def words(
        self,
        unit: Unit = "words",
        path: str | None = None,
        *,
        kind: MapKind | None = None,
        layer: int | None = None,
        head: int | None = None,
        reduce: Reduce = "mean",
        specials: bool = True,
        text: int = 0,
    ) -> AttentionMap:
        """Word by word: sums over the pieces of columns, means over those of rows; rows sum to what they did.

        unit:     "words", in Korean eojeols; "tokens"; or "morphemes" (extra `korean`)
        path, kind, layer, head, reduce: as in `select`; by default the mean of the main attention, or of the
                  heads that were chosen for word alignment (`heads`)
        specials: False leaves the columns of <s> and </s> out, and tells their weight as `hidden`
        text:     of a pair, which one, counted from 0; a path says it, too

        >>> rows, columns, weights = model.translate("나는 책을 읽었다.").attention.words()
        >>> columns
        ('나는', '책을', '읽었다', '.', '</s>')
        >>> weights.shape == (len(rows), len(columns))
        True
        >>> print(weights.sum(axis=1).round(3)[0])
        1.0
        """
        asked = (path, kind, layer, head)
        if path is None and kind is None:
            kind = self.main
        if self.heads is not None and kind == "cross" and not any(one is not None for one in asked):
            tokens = aligning_map(self.maps(), self.heads, lambda maps: self._reduced(maps, reduce))
        else:
            found = self._found(kind, layer, head, path, text if path is None else None)
            tokens = self._reduced(found, reduce)
        rows, columns = self.sides(tokens.kind, len(tokens.rows), text=tokens.text)
        merged = AttentionMap(
            tokens.path,
            tokens.kind,
            rows.words(unit),
            columns.words(unit),
            merge_to_words(tokens.weights, rows, columns, unit),
            tokens.layer,
            tokens.head,
            text=tokens.text,
            unit=unit,
            reduced=tokens.reduced,
            chosen=tokens.chosen,
        )
        return merged if specials else self._without_specials(merged)

    def sides(self, kind: MapKind, rows: int = 0, *, text: int = 0) -> tuple[TokenAxis, TokenAxis]:
        """What the rows and the columns of a kind of map stand for; `rows` counts learned queries."""
        source, target = self._sides()
        return token_axes(kind, self.second if text and self.second else source, target, rows)

    @property
    def source_words(self) -> int:
        """How many columns of the word map are words; the special tokens come after them."""
        source, _ = self._sides()
        return len(source.words()) - len(source.specials)

    @property
    def target_words(self) -> int:
        """How many rows of the word map are words; the special tokens come after them."""
        _, target = self._sides()
        return len(target.words()) - len(target.specials)

    def to_dict(self, *, maps: bool = True) -> dict[str, Any]:
        """Plain lists, for JSON: the two sides with the characters of each token, the word map, all maps.

        maps: False gives the word map alone
        """
        if self.reason is not None:
            return {"reason": self.reason}
        words = {"words": self.words().to_dict()} if self.main in MAIN else {}
        if words and self.second is not None:
            words["second_words"] = self.words(text=1).to_dict()
        if not maps:
            return {**words, "engine": self.engine}
        given = {"source": self.source, "second": self.second, "target": self.target}
        sides = {name: _side(side) for name, side in given.items() if side is not None}
        return {"engine": self.engine, **sides, **words, "maps": [m.to_dict() for m in self.maps()]}

    def to_json(self) -> str:
        """`to_dict` as a JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def save_npz(self, path: str | Path) -> None:
        """Write all maps into a file that `numpy.load` reads, without pickle."""
        from regard.insight.export import save_npz

        self._sides()
        save_npz(self, Path(path))

    def to_frame(self) -> "DataFrame":
        """All maps as one pandas table, a weight a line (extra `pandas`)."""
        from regard.insight.export import to_frame

        self._sides()
        return to_frame(self)

    def to_bertviz(self) -> Mapping[str, Any]:
        """What BertViz takes, by name: `bertviz.head_view(**record.to_bertviz())`, and `model_view`.

        BertViz has one list of labels for the decoder. Where there is attention of both kinds, a label is
        `fed→predicted`.
        """
        from regard.insight.export import to_bertviz

        self._sides()
        return to_bertviz(self)

    def __repr__(self) -> str:
        return f"AttentionRecord({self.reason or ' '.join(self.paths)})"

    def _found(
        self,
        kind: MapKind | None,
        layer: int | None,
        head: int | None,
        path: str | None,
        text: int | None = None,
    ) -> tuple[AttentionMap, ...]:
        self._sides()
        wanted = {"kind": kind, "layer": layer, "head": head, "path": path, "text": text}
        asked = {name: value for name, value in wanted.items() if value is not None}
        every = [m for look in self.attentions for m in self._heads(look)]
        found = tuple(m for m in every if all(getattr(m, n) == value for n, value in asked.items()))
        if not found:
            there = ", ".join(dict.fromkeys(f"{m.path} ({_place(m)})" for m in every))
            told = " and ".join(f"{name} {value}" for name, value in asked.items())
            raise RegardError(f"no attention has {told}; there is {there}")
        return found

    def _heads(self, look: LayerAttention) -> list[AttentionMap]:
        heads = [look.weights] if look.weights.ndim == 2 else list(look.weights)
        rows, columns = self.sides(look.kind, heads[0].shape[0], text=look.text)
        return [
            AttentionMap(
                look.path,
                look.kind,
                rows.tokens,
                columns.tokens,
                weights,
                look.layer,
                head if look.weights.ndim == 3 else None,
                text=look.text,
                unit="tokens",
            )
            for head, weights in enumerate(heads)
        ]

    def _reduced(self, maps: tuple[AttentionMap, ...], reduce: Reduce) -> AttentionMap:
        if reduce not in get_args(Reduce):
            raise RegardError(f"unknown reduce '{reduce}'; {did_you_mean(str(reduce), get_args(Reduce))}")
        first = maps[0]
        if len(maps) == 1:
            return first
        kinds = list(dict.fromkeys(m.kind for m in maps))
        if len(kinds) > 1:
            raise RegardError(f"maps of several kinds ({', '.join(kinds)}) cannot be one; choose a kind")
        if len({m.text for m in maps}) > 1:
            raise RegardError("maps over two texts cannot be one; choose a path")
        together = np.stack([m.weights for m in maps])
        weights = together.mean(axis=0) if reduce == "mean" else together.max(axis=0)
        layers, heads = {m.layer for m in maps}, {m.head for m in maps}
        paths = list(dict.fromkeys(m.path for m in maps))
        return AttentionMap(
            " ".join(paths),
            first.kind,
            first.rows,
            first.columns,
            weights,
            first.layer if len(layers) == 1 else None,
            first.head if len(heads) == 1 else None,
            text=first.text,
            unit=first.unit,
            reduced=Reduced(reduce, len(paths), len(heads)),
        )

    def _without_specials(self, shown: AttentionMap) -> AttentionMap:
        _, columns = self.sides(shown.kind, text=shown.text)
        words = columns.shown(shown.columns)
        kept = shown.weights[:, words]
        return AttentionMap(
            shown.path,
            shown.kind,
            shown.rows,
            shown.columns[words],
            kept,
            shown.layer,
            shown.head,
            shown.weights.sum(axis=1) - kept.sum(axis=1),
            shown.text,
            shown.unit,
            shown.reduced,
            shown.chosen,
        )

    def _sides(self) -> tuple[TokenAxis, TokenAxis]:
        if self.source is None or not self.attentions:
            raise RegardError(f"there is no attention to show: {self.reason}")
        return self.source, self.target or NO_TARGET


def _place(shown: AttentionMap) -> str:
    places = (("layer", shown.layer), ("head", shown.head))
    return " ".join([shown.kind, *(f"{name} {place}" for name, place in places if place is not None)])


def _side(side: TokenAxis) -> dict[str, Any]:
    """A text with its tokens; a special token covers no characters."""
    nothing: list[list[int] | None] = [None]
    spans: list[list[int] | None] = [list(span) for span in side.spans]
    return {
        "text": side.text,
        "tokens": list(side.tokens),
        "spans": nothing * len(side.before) + spans + nothing * len(side.specials),
    }
