"""Answers of regard's own protocol: JSON that every reader takes, or bytes where those are wanted."""

import json
import math
from typing import Any, get_args

from fastapi.responses import Response

from regard.insight.attention_bytes import Dtype
from regard.server.service import ServiceError

MEDIA_TYPE = "application/vnd.regard.attention"


def in_json(values: Any) -> Response:
    """As JSON; what is no number is null there."""
    try:
        text = json.dumps(values, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(values), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Response(text.encode("utf-8", "backslashreplace"), media_type="application/json")


def _finite(values: Any) -> Any:
    if isinstance(values, float):
        return values if math.isfinite(values) else None
    if isinstance(values, dict):
        return {name: _finite(value) for name, value in values.items()}
    return [_finite(value) for value in values] if isinstance(values, list | tuple) else values


def wanted_format(accept: str) -> Dtype | None:
    """The type of the numbers, where a client takes attention as bytes; None where it wants JSON."""
    for entry in accept.split(",")[:32]:
        kind, *parameters = (part.strip().lower() for part in entry.split(";"))
        if kind != MEDIA_TYPE:
            continue
        given = dict(part.partition("=")[::2] for part in parameters)
        dtype = given.get("dtype", "float32").strip('"')
        for known in get_args(Dtype):
            if dtype == known:
                return known  # type: ignore[no-any-return]
        allowed = " or ".join(get_args(Dtype))
        raise ServiceError(
            422, "invalid", f"accept: expected dtype={allowed}", field="accept", found=dtype[:32]
        )
    return None
