"""The application: the routes of the protocols, and of the service itself."""

from typing import Any

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from regard.server.answers import Answers, Protocol
from regard.server.errors import from_http, from_validation
from regard.server.gate import Gate, told_error
from regard.server.health import health_routes
from regard.server.index import index_routes
from regard.server.keys import Keys
from regard.server.logs import Log
from regard.server.metrics import Metrics
from regard.server.protocols import PROTOCOLS
from regard.server.service import ServiceError
from regard.server.settings import Settings
from regard.server.supervisor import Supervisor
from regard.version import __version__


class Refusal(BaseModel):
    """Why a request was not answered; some protocols have a shape of their own for it."""

    error: Any


_REFUSALS = {
    400: "What was asked for cannot be done",
    401: "A key is needed",
    403: "This host name, or this origin, is not allowed",
    404: "There is no such model",
    408: "The request did not come within its time",
    413: "Too large: the body, a text, or what was asked for",
    422: "Not what the schema says, or not what the model can do",
    429: "Too many requests wait; Retry-After says when to come again",
    500: "A mistake of the service's own",
    503: "Loading, stopping, or the process that computed has ended; Retry-After says when to come again",
    504: "No answer within the time that a request has",
}


def make_app(service: Supervisor, settings: Settings, keys: Keys, metrics: Metrics, log: Log) -> Gate:
    """Everything behind HTTP."""
    refusals: dict[int | str, dict[str, Any]] = {
        status: {"model": Refusal, "description": told} for status, told in _REFUSALS.items()
    }
    app = FastAPI(title="regard", version=__version__, docs_url=None, redoc_url=None, responses=refusals)
    answers = Answers()
    app.include_router(health_routes(service, metrics))

    async def loaded() -> None:
        if not service.is_loaded:
            raise ServiceError(503, "unavailable", "the models are being loaded; try again", retry_after=1)

    paths: dict[str, list[str]] = {}
    for module in PROTOCOLS:
        routes = module.router(service, settings)
        answers.register(routes, Protocol(module.error, getattr(module, "KEY_FIELD", None)))
        app.include_router(routes, dependencies=[Depends(loaded)])
        paths[str(routes.tags[0])] = sorted(
            {route.path for route in routes.routes if isinstance(route, APIRoute)}
        )
    app.include_router(index_routes(service, paths))

    def answer(request: Request, error: ServiceError) -> Response:
        told_error(request.scope, error)
        status, headers, body = answers.answer(error, request.scope["path"], request.scope["request_id"])
        return Response(body, status, {name.decode(): value.decode() for name, value in headers})

    @app.exception_handler(ServiceError)
    async def refused(request: Request, error: ServiceError) -> Response:
        return answer(request, error)

    @app.exception_handler(Exception)  # which the gate sees, too, and writes to the log
    async def failed(request: Request, _: Exception) -> Response:
        return answer(request, ServiceError(500, "internal", "the request could not be answered"))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return answer(request, from_validation(error))

    @app.exception_handler(HTTPException)
    async def unknown(request: Request, error: HTTPException) -> Response:
        return answer(request, from_http(error.status_code))

    return Gate(app, settings, keys, answers, metrics, log)
