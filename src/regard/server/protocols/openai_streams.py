"""Server-sent events."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any

from fastapi.responses import StreamingResponse

from regard.server.protocols.openai_errors import error as error_body
from regard.server.service import ServiceError

Chunks = AsyncIterator[Mapping[str, Any]]


async def streamed(chunks: Chunks) -> StreamingResponse:
    """An answer in pieces. What goes wrong before the first one has its own status; after it, its own event."""
    first = await anext(chunks)
    return StreamingResponse(
        _events(first, chunks), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


async def _events(first: Mapping[str, Any], chunks: Chunks) -> AsyncIterator[str]:
    async with aclosing(chunks):  # type: ignore[type-var]
        yield _event(first)
        try:
            async for chunk in chunks:
                yield _event(chunk)
        except ServiceError as error:
            yield _event(error_body(error, "")[1])
            return
        yield "data: [DONE]\n\n"


def _event(values: Mapping[str, Any]) -> str:
    return f"data: {json.dumps(values, ensure_ascii=False)}\n\n"
