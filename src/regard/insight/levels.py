"""The maps of a record, by tokens or by words."""

from typing import Literal

import numpy as np

from regard.insight.maps import AttentionMap
from regard.insight.merge import Unit
from regard.insight.record import AttentionRecord

Level = Literal["token"] | Unit

BETWEEN = "‖"
"""Stands between two texts that are shown side by side."""


def every_map(record: AttentionRecord, level: Level) -> list[AttentionMap]:
    """One map for each layer and head; where a model has one attention, that one."""
    maps = record.maps()
    if level == "token":
        return list(maps)
    return [record.words(level, m.path, kind=m.kind, layer=m.layer, head=m.head) for m in maps]


def main_maps(record: AttentionRecord, level: Level) -> list[AttentionMap]:
    """The attention that tells most of an output; where two texts were read, over each."""
    texts = range(1 if record.second is None else 2)
    if level == "token":
        return [record.tokens(text=text) for text in texts]
    return [record.words(level, text=text) for text in texts]


def beside(maps: list[AttentionMap]) -> AttentionMap:
    """Maps with the same rows as one, their columns side by side. Its rows sum to what theirs do together."""
    first, *others = maps
    columns, weights = list(first.columns), [first.weights]
    for other in others:
        columns += [BETWEEN, *other.columns]
        weights += [np.zeros((len(first.rows), 1), dtype=np.float32), other.weights]
    if not others:
        return first
    path = " ".join(shown.path for shown in maps)
    return AttentionMap(path, first.kind, first.rows, tuple(columns), np.concatenate(weights, axis=1))
