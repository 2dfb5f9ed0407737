"""A call as it is: what the other protocols are made of, over HTTP."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from regard.server.errors import default_error as error
from regard.server.service import Blob, Call, Service
from regard.server.settings import Settings

__all__ = ["error", "router"]


class Asked(BaseModel):
    """One operation on some inputs."""

    model: Annotated[str, Field(max_length=64)]
    operation: Annotated[str, Field(max_length=32)]
    inputs: list[dict[str, Any]]
    options: dict[str, Any] = {}


def router(service: Service, settings: Settings) -> APIRouter:
    """The route."""
    del settings
    routes = APIRouter()

    @routes.post("/v1/regard/call")
    async def call(asked: Asked) -> dict[str, Any]:
        found = await service.run(Call(asked.model, asked.operation, asked.inputs, asked.options))
        return {"results": [one.about if isinstance(one, Blob) else one for one in found]}

    return routes
