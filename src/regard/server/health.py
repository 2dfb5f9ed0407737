"""Whether the service lives, whether it can answer, and what it counts."""

from fastapi import APIRouter
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST

from regard.server.metrics import Metrics
from regard.server.supervisor import Supervisor


def health_routes(service: Supervisor, metrics: Metrics) -> APIRouter:
    """The routes of the service itself."""
    routes = APIRouter(tags=["service"])

    @routes.get("/healthz")
    async def healthz() -> dict[str, str]:
        """The front answers."""
        return {"status": "ok"}

    @routes.get("/readyz", responses={503: {"description": "Loading, stopping, or a worker is down"}})
    async def readyz() -> JSONResponse:
        """Every model can compute."""
        ready = service.is_ready
        return JSONResponse({"status": "ready" if ready else "not ready"}, 200 if ready else 503)

    @routes.get("/metrics", response_class=PlainTextResponse)
    async def prometheus() -> Response:
        """What the service counts, as Prometheus reads it."""
        return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)

    return routes
