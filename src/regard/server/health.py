"""Whether the service lives, and whether it can answer."""

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from regard.server.supervisor import Supervisor


def router(service: Supervisor) -> APIRouter:
    """The routes that need no key."""
    routes = APIRouter(tags=["health"])

    @routes.get("/healthz")
    async def healthz() -> dict[str, str]:
        """The front answers."""
        return {"status": "ok"}

    @routes.get("/readyz", responses={503: {"description": "Not every model can compute now"}})
    async def readyz() -> JSONResponse:
        """Every model can compute."""
        ready = service.is_ready
        return JSONResponse({"status": "ready" if ready else "not ready"}, 200 if ready else 503)

    return routes
