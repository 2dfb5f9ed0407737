"""Every map of a record, by tokens or by words."""

from typing import Literal

from regard.insight.maps import AttentionMap
from regard.insight.merge import Unit
from regard.insight.record import AttentionRecord

Level = Literal["token"] | Unit


def every_map(record: AttentionRecord, level: Level) -> list[AttentionMap]:
    """One map for each layer and head; where a model has one attention, that one."""
    maps = record.maps()
    if level == "token":
        return list(maps)
    return [record.words(level, m.path, kind=m.kind, layer=m.layer, head=m.head) for m in maps]
