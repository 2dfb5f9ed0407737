"""Errors as OpenAI's clients read them: the status decides which exception they raise."""

from typing import Any

from regard.server.service import ServiceError

_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
}
_STATUS = {422: 400}


def error(error: ServiceError, request_id: str) -> tuple[int, dict[str, Any]]:
    """The status, and the body."""
    status = _STATUS.get(error.status, error.status)
    kind = _TYPES.get(status, "server_error" if status >= 500 else "invalid_request_error")
    code = "model_not_found" if error.code == "not_found" and error.field == "model" else error.code
    told: dict[str, Any] = {"message": error.message, "type": kind, "param": error.field, "code": code}
    numbers = {"limit": error.limit, "found": error.found, "request_id": request_id or None}
    return status, {"error": told | {name: value for name, value in numbers.items() if value is not None}}
