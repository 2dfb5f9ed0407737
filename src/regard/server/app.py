"""The application: the routes of the protocols, and of the service itself."""

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from regard.server.errors import default_error, from_http, from_validation
from regard.server.health import router as health_router
from regard.server.protocols import PROTOCOLS
from regard.server.service import ServiceError
from regard.server.settings import Settings
from regard.server.supervisor import Supervisor
from regard.version import __version__

ErrorShape = Callable[[ServiceError, str], tuple[int, dict[str, Any]]]


def make_app(service: Supervisor, settings: Settings) -> FastAPI:
    """Everything behind HTTP."""
    app = FastAPI(title="regard", version=__version__, docs_url=None, redoc_url=None)
    shapes: list[tuple[APIRouter, ErrorShape]] = []
    app.include_router(health_router(service))
    for protocol in PROTOCOLS:
        router = protocol.router(service, settings)
        shapes.append((router, protocol.error))
        app.include_router(router)

    def shape_for(request: Request) -> ErrorShape:
        for router, shape in shapes:
            if any(getattr(route, "path", None) == request.url.path for route in router.routes):
                return shape
        return default_error

    def answer(request: Request, error: ServiceError) -> JSONResponse:
        status, body = shape_for(request)(error, request.scope.get("request_id", ""))
        headers = {"retry-after": f"{error.retry_after:g}"} if error.retry_after is not None else None
        return JSONResponse(body, status, headers)

    @app.exception_handler(ServiceError)
    async def refused(request: Request, error: ServiceError) -> JSONResponse:
        return answer(request, error)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return answer(request, from_validation(error))

    @app.exception_handler(404)
    @app.exception_handler(405)
    async def unknown(request: Request, error: Any) -> JSONResponse:
        return answer(request, from_http(error.status_code))

    return app
