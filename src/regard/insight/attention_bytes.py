"""Attention as bytes: a small header in JSON, then the weights of all maps. Byte by byte:

    0    4 bytes   "RGAT"
    4    4 bytes   the version, 1; this number and the next are unsigned, with the lowest byte first
    8    4 bytes   H, how long the header is; a multiple of 8 less 12, so that the weights begin at one of 8
    12   H bytes   the header: a JSON object in UTF-8, with spaces after it
    12+H           the weights: float16 or float32, the lowest byte first, row by row, map after map

The header:

    dtype     "float16" or "float32"
    weights   how many numbers there are
    about     what whoever wrote it says: the result of the model
    records   one for each reading; an edit has two, "before" and "after"
        name, engine
        reason       why there is no attention; then there is nothing else
        tokens       of the longest text; with `heads`, of all layers together, what the weights grow with:
        heads        tokens² · heads
        axes         by name: source, second, target, fed (the target shifted by one), hops
            text         what was read or written
            tokens       labels of all positions
            spans        the characters of each token, [start, end]; null for special tokens
            words        the characters of each word
        attentions   path, kind, layer, text (which of a pair), rows, columns (names of axes),
                     heads (their numbers; null for one without heads),
                     shape [heads, rows, columns], offset (in bytes, from where the weights begin)

In JavaScript, with `buffer` an ArrayBuffer: `new Float32Array(buffer, 12 + H + offset, h * r * c)`.
float16 is within 2⁻¹² of a weight.
"""

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from regard.errors import DataError
from regard.insight.maps import MapKind
from regard.insight.record import AttentionRecord, LayerAttention
from regard.insight.token_axis import NO_TARGET, TokenAxis, token_axes

MAGIC, VERSION = b"RGAT", 1
Dtype = Literal["float16", "float32"]
_HEAD = struct.Struct("<4sII")
_MOST_HEADER = 2**27
AXES: Mapping[MapKind, tuple[str, str]] = {
    "cross": ("target", "source"),
    "decoder-self": ("fed", "fed"),
    "encoder-self": ("source", "source"),
    "memory": ("source", "source"),
    "hops": ("hops", "source"),
}
"""The axes of a kind, rows and columns; of the second text of a pair, `second` stands for `source`."""


@dataclass(frozen=True)
class Selection:
    """Which attention is wanted; None = all."""

    kind: MapKind | None = None
    layer: int | None = None
    head: int | None = None
    path: str | None = None

    def of(self, record: AttentionRecord) -> AttentionRecord:
        """A record of these layers alone; their heads are chosen later. None of them is refused."""
        if record.reason is not None:
            return record
        record.select(self.kind, self.layer, self.head, path=self.path)  # names what there is
        kept = [
            look
            for look in record.attentions
            if (self.kind is None or look.kind == self.kind)
            and (self.layer is None or look.layer == self.layer)
            and (self.path is None or look.path == self.path)
            and (self.head is None or (look.weights.ndim == 3 and self.head < look.weights.shape[0]))
        ]
        return AttentionRecord(
            record.source, record.target, tuple(kept), None, record.engine, record.second, record.heads
        )


EVERYTHING = Selection()


def axes_of(record: AttentionRecord) -> dict[str, dict[str, Any]]:
    """The axes of the maps of a record, by their names, for JSON."""
    if record.source is None:
        return {}
    target = record.target or NO_TARGET
    given = {"source": record.source, "second": record.second, "target": record.target}
    named = {name: side for name, side in given.items() if side is not None}
    for look in record.attentions:
        sides = token_axes(look.kind, _read(record, look), target, look.weights.shape[-2])
        named |= zip(_names(look), sides, strict=True)
    return {name: _axis(side) for name, side in named.items()}


def to_bytes(
    records: Mapping[str, AttentionRecord],
    *,
    about: Mapping[str, Any] | None = None,
    dtype: Dtype = "float32",
    selection: Selection = EVERYTHING,
) -> tuple[dict[str, Any], bytes]:
    """The header of some records, and the bytes of the weights."""
    number = np.dtype(np.float16 if dtype == "float16" else np.float32).newbyteorder("<")
    parts: list[bytes] = []
    told: list[dict[str, Any]] = []
    offset = 0
    for name, given in records.items():
        record = selection.of(given)
        if record.reason is not None:
            told.append({"name": name, "engine": record.engine, "reason": record.reason})
            continue
        looks: list[dict[str, Any]] = []
        for look in record.attentions:
            heads = look.weights if look.weights.ndim == 3 else look.weights[None]
            numbers = list(range(len(heads))) if look.weights.ndim == 3 else None
            if selection.head is not None and numbers is not None:
                heads, numbers = heads[selection.head : selection.head + 1], [selection.head]
            rows, columns = _names(look)
            looks.append(
                {
                    "path": look.path,
                    "kind": look.kind,
                    "layer": look.layer,
                    "text": look.text,
                    "rows": rows,
                    "columns": columns,
                    "heads": numbers,
                    "shape": list(heads.shape),
                    "offset": offset,
                }
            )
            parts.append(np.ascontiguousarray(heads, dtype=number).tobytes())
            offset += len(parts[-1])
        axes = axes_of(record)
        told.append(
            {
                "name": name,
                "engine": record.engine,
                "tokens": max(len(axis["tokens"]) for axis in axes.values()),
                "heads": sum(look["shape"][0] for look in looks),
                "axes": axes,
                "attentions": looks,
            }
        )
    header = {
        "dtype": dtype,
        "weights": offset // number.itemsize,
        "about": dict(about or {}),
        "records": told,
    }
    return header, b"".join(parts)


def packed(header: Mapping[str, Any], weights: bytes) -> bytes:
    """All of it, as it is sent or written to a file."""
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-(_HEAD.size + len(text)) % 8)
    return b"".join((_HEAD.pack(MAGIC, VERSION, len(text)), text, weights))


@dataclass(frozen=True)
class AttentionBytes:
    """What was read: the header, and the records by their names."""

    header: Mapping[str, Any]
    records: Mapping[str, AttentionRecord]
    """Where heads were chosen, they are counted from 0 here; the header has their numbers."""


def from_bytes(content: bytes) -> AttentionBytes:
    """Read what `packed` wrote; anything else is refused.

    >>> from regard.insight.attention_bytes import from_bytes, packed, to_bytes
    >>> record = model.translate("나는 책을 읽었다.").attention
    >>> again = from_bytes(packed(*to_bytes({"attention": record}))).records["attention"]
    >>> bool((again.words().weights == record.words().weights).all())
    True
    """
    header, start = _header(content)
    try:
        dtype, told = header["dtype"], header["records"]
        if dtype not in get_args(Dtype):
            raise DataError(f"attention: expected float16 or float32, found '{str(dtype)[:20]}'")
        number = np.dtype(dtype).newbyteorder("<")
        weights = np.frombuffer(content, number, offset=start)
        ends = {0, *(end for one in told for end in _ends(one, number.itemsize))}
        if weights.size != header["weights"] or max(ends) != len(content) - start:
            raise DataError("attention: the weights are not as many as the header says; they are cut off")
        records = {one["name"]: _record(one, weights) for one in told}
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise DataError(f"attention: the header is damaged: {type(error).__name__}") from None
    return AttentionBytes(header, records)


def _header(content: bytes) -> tuple[dict[str, Any], int]:
    if len(content) < _HEAD.size or content[:4] != MAGIC:
        raise DataError("attention: expected bytes that begin with RGAT, found others")
    _, version, length = _HEAD.unpack_from(content)
    if version != VERSION:
        raise DataError(f"attention: has version {version}, this regard reads version {VERSION}")
    start = _HEAD.size + length
    if length > _MOST_HEADER or start > len(content):
        raise DataError("attention: the header is cut off")
    try:
        header = json.loads(content[_HEAD.size : start])
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise DataError("attention: the header is no JSON object")
    return header, start


def _ends(one: Mapping[str, Any], size: int) -> Iterator[int]:
    """Where the weights of each attention end, in bytes; each begins where the one before it ends."""
    for look in one.get("attentions", ()):
        heads, rows, columns = look["shape"]
        if min(heads, rows, columns, look["offset"]) < 0 or look["offset"] % size:
            raise ValueError
        yield look["offset"] + heads * rows * columns * size


def _record(one: Mapping[str, Any], weights: Any) -> AttentionRecord:
    if "reason" in one:
        return AttentionRecord(reason=str(one["reason"]), engine=str(one["engine"]))
    looks = []
    for look in one["attentions"]:
        heads, rows, columns = look["shape"]
        first = look["offset"] // weights.itemsize
        own = weights[first : first + heads * rows * columns].reshape(heads, rows, columns)
        values = own.astype(np.float32)
        looks.append(
            LayerAttention(
                look["path"], look["kind"], values if look["heads"] is not None else values[0],
                look["layer"], look["text"],
            )
        )  # fmt: skip
    sides = {name: _side(axis) for name, axis in one["axes"].items() if name not in ("fed", "hops")}
    return AttentionRecord(
        sides["source"],
        sides.get("target"),
        tuple(looks),
        engine=str(one["engine"]),
        second=sides.get("second"),
    )


def _names(look: LayerAttention) -> tuple[str, str]:
    rows, columns = AXES[look.kind]
    if look.text:
        rows, columns = (name if name != "source" else "second" for name in (rows, columns))
    return rows, columns


def _read(record: AttentionRecord, look: LayerAttention) -> TokenAxis:
    """The text that an attention looks at."""
    own = record.second if look.text and record.second is not None else record.source
    return own or NO_TARGET


def _axis(side: TokenAxis) -> dict[str, Any]:
    """A text with its tokens; a special token covers no characters."""
    spans: Sequence[Any] = [None] * len(side.before) + [list(span) for span in side.spans]
    return {
        "text": side.text,
        "tokens": list(side.tokens),
        "spans": [*spans, *[None] * len(side.specials)],
        "words": [list(span) for span in side.word_spans()],
    }


def _side(axis: Mapping[str, Any]) -> TokenAxis:
    tokens, spans = axis["tokens"], axis["spans"]
    if len(tokens) != len(spans):
        raise ValueError
    own = [place for place, span in enumerate(spans) if span is not None]
    first, last = (own[0], own[-1] + 1) if own else (0, 0)
    if len(own) != last - first:
        raise ValueError
    return TokenAxis(
        axis["text"],
        tuple(tokens[first:last]),
        tuple((int(start), int(end)) for start, end in spans[first:last]),
        tuple(tokens[last:]),
        before=tuple(tokens[:first]),
        given=tuple((int(start), int(end)) for start, end in axis["words"]),
    )
