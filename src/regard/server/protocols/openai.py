"""The protocol of OpenAI: models, embeddings, completions and chat."""

import base64
import struct
import time
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from regard.server.protocols.calling import Values, check_can, model_named, request_id_of, run
from regard.server.protocols.openai_chat import Chat
from regard.server.protocols.openai_completions import Completions
from regard.server.protocols.openai_errors import error
from regard.server.protocols.openai_schemas import (
    ChatRequest,
    CompletionRequest,
    EmbeddingRequest,
    ErrorAnswer,
)
from regard.server.protocols.openai_streams import streamed
from regard.server.protocols.openai_tokens import prompts_of
from regard.server.service import ModelCard, Service, ServiceError
from regard.server.settings import Settings

__all__ = ["error", "router"]

ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer} for status in (400, 401, 403, 404, 413, 422, 429, 500, 503, 504)
}


def router(service: Service, settings: Settings) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/v1", tags=["OpenAI"], responses=ERRORS)
    started = int(time.time())
    limits = settings.limits

    def described(card: ModelCard) -> dict[str, Any]:
        return {
            "id": card.name,
            "object": "model",
            "created": started,
            "owned_by": "regard",
            "task": card.task,
            "operations": sorted(card.operations),
        }

    @routes.get("/models")
    async def models() -> dict[str, Any]:
        """The served models."""
        return {"object": "list", "data": [described(card) for card in service.models.values()]}

    @routes.get("/models/{model}")
    async def model(model: str) -> dict[str, Any]:
        """One of them."""
        return described(model_named(service, model))

    @routes.post("/embeddings")
    async def embeddings(asked: EmbeddingRequest, request: Request) -> dict[str, Any]:
        """The vectors of texts."""
        asked.check_unknown()
        card = model_named(service, asked.model)
        check_can(card, "embed")
        if asked.dimensions not in (None, card.vector_size):
            raise ServiceError(
                400,
                "unsupported",
                f"dimensions: the vectors of this model have {card.vector_size} numbers, and cannot be cut; "
                "leave it out",
                field="dimensions",
                limit=card.vector_size,
                found=asked.dimensions,
            )
        texts = await prompts_of(service, card, asked.input, "input", request_id_of(request))
        found = await run(
            service,
            card,
            "embed",
            [{"text": text} for text in texts],
            {"normalize": asked.normalize, "attention": asked.attention},
            request_id_of(request),
            "input",
        )
        tokens = sum(one["tokens"] for one in found)
        return {
            "object": "list",
            "data": [
                _embedding(number, one, asked.encoding_format, attention=asked.attention)
                for number, one in enumerate(found)
            ],
            "model": card.name,
            "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
        }

    @routes.post("/completions", response_model=None)
    async def completions(asked: CompletionRequest, request: Request) -> dict[str, Any] | StreamingResponse:
        """Texts that go on from prompts, by a language model."""
        asked.check_unknown()
        card = model_named(service, asked.model)
        check_can(card, "complete", "; translators are asked at /v1/chat/completions")
        work = Completions(service, card, asked, limits, request_id_of(request))
        await work.prepare()
        return await streamed(work.chunks()) if asked.stream else await work.answer()

    @routes.post("/chat/completions", response_model=None)
    async def chat(asked: ChatRequest, request: Request) -> dict[str, Any] | StreamingResponse:
        """The last message of the user, translated by a translator, or completed by a language model."""
        asked.check_unknown()
        card = model_named(service, asked.model)
        if "translate" not in card.operations:
            check_can(card, "complete")
        work = Chat(service, card, asked, limits, request_id_of(request))
        return await streamed(work.chunks()) if asked.stream else await work.answer()

    return routes


def _embedding(number: int, found: Values, encoding: str, *, attention: bool) -> dict[str, Any]:
    vector: Any = found["vector"]
    if encoding == "base64":
        vector = base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
    told = {"object": "embedding", "index": number, "embedding": vector}
    return told | ({"attention": found["attention"]} if attention else {})
