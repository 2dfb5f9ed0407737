"""regard's own protocol: everything that its models can do, below /v1/regard."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse

from regard.insight.attention_bytes import packed
from regard.server.errors import default_error as error
from regard.server.protocols.own_answers import MEDIA_TYPE, in_json, wanted_format
from regard.server.protocols.own_models import card_to_dict, checkpoints_of, find_card
from regard.server.protocols.own_schemas import OPERATIONS, STREAMED, Asked, request_schema
from regard.server.service import Blob, Call, ModelCard, Result, Service, ServiceError
from regard.server.settings import Settings

__all__ = ["error", "router"]

PREFIX = "/v1/regard"
_LOOKS = ("look", "edit")


def router(service: Service, settings: Settings) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix=PREFIX, tags=["regard"])

    @routes.get("/models")
    async def models() -> Response:
        """The models that are served."""
        return in_json({"models": [card_to_dict(card) for card in service.models.values()]})

    @routes.get("/models/{name}")
    async def model(name: str) -> Response:
        """One of them, with its recipe and its attentions."""
        return in_json(card_to_dict(find_card(service, name), whole=True))

    @routes.get("/models/{name}/checkpoints")
    async def checkpoints(name: str) -> Response:
        """The checkpoints that its run has kept, and what its validations have measured."""
        card = find_card(service, name)
        found = await asyncio.to_thread(checkpoints_of, settings.models[card.name], card.name)
        return in_json(found)

    for operation in OPERATIONS:
        _add(routes, service, operation)
    return routes


def _add(routes: APIRouter, service: Service, operation: str) -> None:
    schema: Any = request_schema(operation)
    told: dict[int | str, dict[str, Any]] = {}
    if operation in _LOOKS:
        told = {200: {"content": {MEDIA_TYPE: {}, "application/json": {}}}}

    async def answer(asked: schema, request: Request) -> Response:
        return await _answer(service, operation, asked, request)

    routes.add_api_route(
        f"/{operation}",
        answer,
        methods=["POST"],
        responses=told,
        name=operation,
        description=schema.__doc__,
        response_class=Response,
    )


async def _answer(service: Service, operation: str, asked: Asked, request: Request) -> Response:
    done = "look" if operation == "edit" else operation
    name, _, checkpoint = (asked.model or "").partition("@")
    card = find_card(service, name, done)
    options = asked.given_options()
    if checkpoint:
        options["checkpoint"] = checkpoint
    dtype = wanted_format(request.headers.get("accept", "")) if operation in _LOOKS else None
    if dtype is not None:
        if asked.inputs is not None and len(asked.inputs) > 1:
            raise ServiceError(
                422,
                "invalid",
                "inputs: bytes hold one input",
                field="inputs",
                limit=1,
                found=len(asked.inputs),
            )
        options["format"] = dtype
    call = Call(card.name, done, asked.given_inputs(), options, request.scope.get("request_id", ""))
    if operation in STREAMED and getattr(asked, "stream", None):
        if len(call.inputs) > 1:
            raise ServiceError(422, "invalid", "stream: one input is streamed at a time", field="stream")
        return await _streamed(service, call, card)
    found = await service.run(call)
    first = found[0]
    if isinstance(first, Blob):
        header = {**_of(card, first.about), **{k: v for k, v in first.about.items() if k != "of"}}
        return Response(packed(header, first.content), media_type=f"{MEDIA_TYPE}; dtype={dtype}")
    results = [_result(one) for one in found]
    body = {"result": results[0]} if asked.inputs is None else {"results": results}
    return in_json({**_of(card, first), **body})


def _of(card: ModelCard, result: Mapping[str, Any]) -> dict[str, Any]:
    """Which model has answered: its name and its digest; of a checkpoint, those of that."""
    of = result.get("of")
    if of is None:
        return {"model": card.name, "digest": card.digest}
    return {"model": f"{card.name}@{of['checkpoint']}", "digest": of["digest"]}


def _result(one: Result) -> dict[str, Any]:
    values = one.about if isinstance(one, Blob) else one
    return {name: value for name, value in values.items() if name != "of"}


async def _streamed(service: Service, call: Call, card: ModelCard) -> Response:
    """A line of JSON for each piece, then one with the result; what is refused at once has its status."""
    pieces = service.stream(call)
    first = await anext(pieces)

    async def lines() -> AsyncIterator[bytes]:
        async with aclosing(pieces):  # type: ignore[type-var]
            piece: Mapping[str, Any] | None = first
            while piece is not None:
                if "result" in piece:
                    piece = {**_of(card, piece["result"]), "result": _result(piece["result"])}
                yield bytes(in_json(piece).body) + b"\n"
                try:
                    piece = await anext(pieces, None)
                except ServiceError as problem:
                    yield bytes(in_json(error(problem, call.request_id)[1]).body) + b"\n"
                    return

    return StreamingResponse(lines(), media_type="application/x-ndjson")
