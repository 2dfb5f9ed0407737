"""Errors of the web's own layers as those of the service, and how one is told where no protocol says it."""

from typing import Any

from fastapi.exceptions import RequestValidationError

from regard.server.service import ServiceError

_LIMITS = ("ge", "gt", "le", "lt", "max_length", "min_length")


def default_error(error: ServiceError, request_id: str) -> tuple[int, dict[str, Any]]:
    """The status, and the body: what, where, what is allowed, what was found."""
    told = {
        "code": error.code,
        "message": error.message,
        "field": error.field,
        "limit": error.limit,
        "found": error.found,
        "request_id": request_id,
    }
    return error.status, {"error": {name: value for name, value in told.items() if value is not None}}


def from_validation(error: RequestValidationError) -> ServiceError:
    """A body or a query that is not what the schema says; the first mistake is told."""
    first = error.errors()[0]
    where = [str(part) for part in first["loc"] if part not in ("body", "query", "path")]
    limits = (first.get("ctx") or {}).items()
    limit = next(
        (value for name, value in limits if name in _LIMITS and isinstance(value, int | float)), None
    )
    found = first.get("input")
    told = found if isinstance(found, int | float) and not isinstance(found, bool) else None
    field = ".".join(where)[:100] or "body"
    return ServiceError(
        422, "invalid", f"{field}: {first['msg'][:200]}", field=field, limit=limit, found=told
    )


def from_http(status: int) -> ServiceError:
    """A path or a method that is not there, or a body that is not what its type says."""
    if status == 404:
        return ServiceError(404, "not_found", "there is no such path")
    if status == 405:
        return ServiceError(405, "invalid", "this path does not know the method")
    return ServiceError(status, "invalid", "the body cannot be read as what its Content-Type says")
