"""POST /v1/chat/completions: the last message of the user is translated, or completed.

No model here was trained on conversations: other messages are not read.
"""

import time
import uuid
from collections.abc import AsyncGenerator
from typing import Any

from regard.server.protocols.openai_schemas import ChatRequest
from regard.server.protocols.openai_tokens import chat_logprobs
from regard.server.protocols.openai_writing import Usage, Writer, Written
from regard.server.service import ModelCard, Service
from regard.server.settings import Limits


class Chat:
    """One request."""

    def __init__(
        self, service: Service, card: ModelCard, asked: ChatRequest, limits: Limits, request_id: str
    ) -> None:
        top = (asked.top_logprobs or 0) if asked.logprobs else None
        self._writer = Writer(service, card, asked, limits, request_id, "messages", top, asked.most_tokens)
        self._asked, self._prompt = asked, asked.text
        self._writer.check()
        self._head = {
            "id": f"chatcmpl-{uuid.uuid4().hex}",
            "created": int(time.time()),
            "model": card.name,
            "system_fingerprint": card.digest[:12],
        }

    async def answer(self) -> dict[str, Any]:
        """The whole."""
        usage = Usage()
        (answered,) = await self._writer.answers([self._prompt])
        usage.add(answered)
        choices = [
            {
                "index": number,
                "message": {"role": "assistant", "content": one.text, "refusal": None},
                **self._ending(one),
            }
            for number, one in enumerate(answered.results)
        ]
        return {**self._head, "object": "chat.completion", "choices": choices, "usage": usage.to_dict()}

    async def chunks(self) -> AsyncGenerator[dict[str, Any], None]:
        """The same in pieces."""
        usage = Usage()
        begun = False
        async for piece in self._writer.pieces(self._prompt):
            if not begun:
                begun = True
                yield self._chunk(0, {"role": "assistant", "content": ""})
            if isinstance(piece, str):
                if piece:
                    yield self._chunk(0, {"content": piece})
                continue
            usage.add(piece)
            for number, one in enumerate(piece.results):
                delta = {} if number == 0 else {"role": "assistant", "content": one.text}
                yield self._chunk(number, delta, **self._ending(one))
        if self._asked.stream_options and self._asked.stream_options.include_usage:
            yield {**self._chunk(0, {}), "choices": [], "usage": usage.to_dict()}

    def _ending(self, one: Written) -> dict[str, Any]:
        told: dict[str, Any] = {"finish_reason": one.finish}
        told["logprobs"] = chat_logprobs(one.tokens) if self._asked.logprobs else None
        return told | ({"attention": one.attention} if self._asked.attention else {})

    def _chunk(self, index: int, delta: dict[str, Any], **ending: Any) -> dict[str, Any]:
        choice = {"index": index, "delta": delta, "finish_reason": None, "logprobs": None} | ending
        return {**self._head, "object": "chat.completion.chunk", "choices": [choice], "usage": None}
