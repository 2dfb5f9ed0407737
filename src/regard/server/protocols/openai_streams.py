"""Server-sent events."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any

from fastapi.responses import StreamingResponse

from regard.server.protocols.openai_errors import error as error_body
from regard.server.service import ServiceError

Chunk = Mapping[str, Any]


async def streamed(chunks: AsyncGenerator[dict[str, Any], None]) -> StreamingResponse:
    """An answer in pieces. What goes wrong before the first has its own status; after it, its own event."""
    made: asyncio.Queue[Chunk | ServiceError | None] = asyncio.Queue()
    # One task from the first piece to the last: deadlines belong to a task.
    task = asyncio.create_task(_make(chunks, made))
    try:
        first = await made.get()
    except asyncio.CancelledError:
        task.cancel()
        raise
    if isinstance(first, ServiceError):
        raise first
    return StreamingResponse(
        _events(first, made, task), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


async def _make(
    chunks: AsyncGenerator[dict[str, Any], None], made: "asyncio.Queue[Chunk | ServiceError | None]"
) -> None:
    try:
        async with aclosing(chunks):
            async for chunk in chunks:
                made.put_nowait(chunk)
    except ServiceError as error:
        made.put_nowait(error)
    finally:
        made.put_nowait(None)


async def _events(
    first: Chunk | None, made: "asyncio.Queue[Chunk | ServiceError | None]", task: "asyncio.Task[None]"
) -> AsyncIterator[str]:
    try:
        piece: Chunk | ServiceError | None = first
        while piece is not None:
            if isinstance(piece, ServiceError):
                yield _event(error_body(piece, "")[1])
                return
            yield _event(piece)
            piece = await made.get()
        yield "data: [DONE]\n\n"
    finally:
        task.cancel()  # the client has left, or all is told


def _event(values: Mapping[str, Any]) -> str:
    return f"data: {json.dumps(values, ensure_ascii=False)}\n\n"
