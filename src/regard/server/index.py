"""What is at the root of the service, for whoever looks there first."""

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter

from regard.server.service import Service
from regard.version import __version__


def index_routes(service: Service, paths: Mapping[str, Sequence[str]]) -> APIRouter:
    """The route.

    paths: those of each protocol, by its name
    """
    routes = APIRouter(tags=["service"])

    @routes.get("/")
    async def index() -> dict[str, Any]:
        """What is served, and where."""
        return {
            "service": "regard",
            "version": __version__,
            "models": {name: card.task for name, card in service.models.items()},
            "description": "/openapi.json",
            "protocols": paths,
        }

    return routes
