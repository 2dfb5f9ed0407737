"""Every map of a record, by tokens or by words."""

from typing import Any, Literal

from regard.insight.maps import AttentionMap
from regard.insight.merge import Unit
from regard.insight.record import AttentionRecord

Level = Literal["token"] | Unit


def every_map(record: AttentionRecord, level: Level) -> list[AttentionMap]:
    """One map for each layer and head; where a model has one attention, that one."""
    maps = getattr(record, "maps", None)
    if maps is None:
        return [record.tokens() if level == "token" else record.words(level)]
    if level == "token":
        return list(maps())
    words: Any = record.words
    return [words(level, each.path, kind=each.kind, layer=each.layer, head=each.head) for each in maps()]
