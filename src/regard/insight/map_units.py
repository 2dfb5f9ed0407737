"""The maps of a record, by tokens, words or morphemes."""

from dataclasses import replace

import numpy as np

from regard.insight.maps import AttentionMap, Unit
from regard.insight.record import AttentionRecord

BETWEEN = "‖"
"""Stands between two texts that are shown side by side."""


def every_map(record: AttentionRecord, unit: Unit) -> list[AttentionMap]:
    """One map for each layer and head; of two texts, those over each side by side."""
    maps = [record.words(unit, m.path, kind=m.kind, layer=m.layer, head=m.head) for m in record.maps()]
    texts = ([m for m in maps if m.text == text] for text in range(1 if record.second is None else 2))
    return [side_by_side_map(list(own)) for own in zip(*texts, strict=True)]


def main_maps(record: AttentionRecord, unit: Unit) -> list[AttentionMap]:
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
