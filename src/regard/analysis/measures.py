"""Measures of the attention of a model, head by head, over the rows of a corpus."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from regard.insight.maps import MapKind
from regard.insight.record import AttentionRecord, LayerAttention
from regard.insight.token_axis import TokenAxis
from regard.metrics.attention import (
    coverage,
    diagonality,
    distributions,
    entropy,
    head_divergence,
    mean_distance,
    relative_entropy,
)
from regard.metrics.statistics import Floats

OF_ROWS = (
    "entropy", "relative_entropy", "distance", "diagonality", "end", "start", "punctuation", "divergence",
)  # fmt: skip
"""Means over the rows of all maps."""
MEASURES = (*OF_ROWS[:4], "coverage", *OF_ROWS[4:])
"""Coverage is a mean over maps."""


@dataclass(frozen=True)
class HeadMeasures:
    """The measures of one head, or of one hop; None where a measure has no meaning for it."""

    path: str
    kind: MapKind
    layer: int | None
    head: int
    values: dict[str, float | None] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        rounded = {name: None if own is None else round(own, 6) for name, own in self.values.items()}
        return {"path": self.path, "kind": self.kind, "layer": self.layer, "head": self.head, **rounded}


class _Sums:
    """What the maps of one attention give so far: sums and counts of each measure, (h,) each."""

    def __init__(self, look: LayerAttention) -> None:
        self.path, self.kind, self.layer = look.path, look.kind, look.layer
        self.totals: dict[str, Floats] = {}
        self.counts: dict[str, Floats] = {}

    def add(self, name: str, values: Floats) -> None:
        """Values of each head, (h, …); those that are no number do not count."""
        flat = values.reshape(len(values), -1)
        there = ~np.isnan(flat)
        self.totals[name] = self.totals.get(name, 0.0) + np.where(there, flat, 0.0).sum(axis=1)
        self.counts[name] = self.counts.get(name, 0.0) + there.sum(axis=1)

    def heads(self) -> list[HeadMeasures]:
        """The mean of each measure."""
        heads = len(self.totals["entropy"])
        return [
            HeadMeasures(
                self.path, self.kind, self.layer, head, {name: self._mean(name, head) for name in MEASURES}
            )
            for head in range(heads)
        ]

    def _mean(self, name: str, head: int) -> float | None:
        count = float(self.counts[name][head])
        return float(self.totals[name][head]) / count if count else None


def measure_attention(records: Iterable[AttentionRecord]) -> tuple[HeadMeasures, ...]:
    """The measures of every head over the records; a text that was read in windows has none."""
    sums: dict[str, _Sums] = {}
    for record in records:
        for look in record.attentions:
            own = sums.setdefault(look.path, _Sums(look))
            for name, values in map_measures(record, look).items():
                own.add(name, values)
    return tuple(head for own in sums.values() for head in own.heads())


def map_measures(record: AttentionRecord, look: LayerAttention) -> dict[str, Floats]:
    """The measures of the maps of one attention: of each head, (h,), and mostly of each of its rows, (h, q).

    A hop is to a text what a head is: each has maps of one row; they have one coverage, together.
    """
    p = distributions(look.weights if look.weights.ndim == 3 else look.weights[None])
    _, columns = record.sides(look.kind, p.shape[-2], text=look.text)
    special = columns.special
    covered, has_order = coverage(p, ~special), look.kind != "hops"
    if not has_order:  # the hops cover a text together
        p, covered = p.reshape(-1, 1, p.shape[-1]), np.repeat(covered, p.shape[-2])
    nothing, first = np.full(p.shape[:-1], np.nan), len(columns.before)
    return {
        "entropy": entropy(p),
        "relative_entropy": relative_entropy(p, _keys(look.kind, p)),
        "distance": mean_distance(p) if has_order else nothing,
        "diagonality": diagonality(p) if has_order else nothing,
        "coverage": covered,
        "end": p[..., first:][..., special[first:]].sum(axis=-1) if special[first:].any() else nothing,
        "start": p[..., :first].sum(axis=-1) if first else nothing,
        "punctuation": p[..., _punctuation(columns)].sum(axis=-1),
        "divergence": head_divergence(p),
    }


def _keys(kind: str, p: Floats) -> Sequence[int]:
    """How many keys each row can attend to: all; in a decoder those fed so far; in an LSTMN those before."""
    rows, columns = p.shape[-2:]
    if kind not in ("decoder-self", "memory"):
        return [columns] * rows
    looks_at_itself = kind == "decoder-self" and not np.isnan(p[:, 0]).all()
    return [row + looks_at_itself for row in range(rows)]


def _punctuation(columns: TokenAxis) -> list[int]:
    """The tokens that are nothing but punctuation."""
    first = len(columns.before)
    return [
        first + place
        for place, (start, end) in enumerate(columns.spans)
        if is_only_signs(columns.text[start:end])
    ]


def is_only_signs(text: str) -> bool:
    """Whether all characters but spaces are of the Unicode categories P and S, and there are some."""
    signs = text.strip()
    return bool(signs) and all(unicodedata.category(sign)[0] in "PS" for sign in signs)
