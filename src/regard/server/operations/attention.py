"""Attention as a result: chosen layers and heads in JSON, or all that is chosen as bytes."""

from collections.abc import Mapping
from typing import Any

from regard.insight.attention_bytes import Selection, axes_of, to_bytes
from regard.insight.maps import AttentionMap
from regard.insight.record import AttentionRecord
from regard.server.service import Blob, Result

CHOICES = {"unit", "kind", "layer", "head", "path", "reduce", "specials", "maps", "format"}
"""Options that say what is shown of attention."""
MEDIA_TYPE = "application/vnd.regard.attention"


def shown_result(
    result: Mapping[str, Any], records: Mapping[str, AttentionRecord], options: Mapping[str, Any]
) -> Result:
    """A result with the attention that was asked for.

    records: by the name that each has in the result
    """
    selection = Selection(*(options.get(name) for name in ("kind", "layer", "head", "path")))
    dtype: Any = options.get("format") or "json"
    if dtype != "json":
        return Blob(*to_bytes(records, about=result, dtype=dtype, selection=selection))
    return {**result, **{name: shown(record, options) for name, record in records.items()}}


def shown(record: AttentionRecord, options: Mapping[str, Any]) -> dict[str, Any]:
    """A record in JSON: its texts and tokens, one map of what was chosen, and every map where that is wanted.

    Over a pair there is one map for each text.
    """
    if record.reason is not None:
        return {"reason": record.reason}
    unit: Any = options.get("unit") or "words"
    specials = options.get("specials") is not False
    chosen: dict[str, Any] = {name: options.get(name) for name in ("path", "kind", "layer", "head")}
    one: dict[str, Any] = {**chosen, "reduce": options.get("reduce") or "mean", "specials": specials}
    found: dict[str, Any] = {"engine": record.engine, "axes": axes_of(record)}
    texts = sorted({look.text for look in record.attentions if chosen["path"] in (None, look.path)})
    for name, text in zip(("words", "second_words"), texts or [0], strict=False):
        found[name] = record.words(unit, **one, text=text).to_dict()
    if options.get("maps"):
        maps = record.select(chosen["kind"], chosen["layer"], chosen["head"], path=chosen["path"])
        found["maps"] = [_in_unit(record, each, unit, specials=specials).to_dict() for each in maps]
    return found


def _in_unit(record: AttentionRecord, one: AttentionMap, unit: Any, *, specials: bool) -> AttentionMap:
    return record.words(
        unit, one.path, kind=one.kind, layer=one.layer, head=one.head, specials=specials, text=one.text
    )
