"""Errors as answers, in the shape that the protocol of a path has for them."""

import json
import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from fastapi import APIRouter

from regard.server.errors import default_error
from regard.server.service import ServiceError

ErrorShape = Callable[[ServiceError, str], tuple[int, dict[str, Any]]]


class Protocol(NamedTuple):
    """What is known of a path."""

    shape: ErrorShape = default_error
    key_field: str | None = None
    """Where its clients put their key, besides the headers."""


_NONE = Protocol()


class Answers:
    """The protocols by their paths."""

    def __init__(self) -> None:
        self._plain: dict[str, Protocol] = {}
        self._patterns: list[tuple[re.Pattern[str], Protocol]] = []

    def register(self, routes: APIRouter, protocol: Protocol) -> None:
        """These routes belong to it."""
        for route in routes.routes:
            path = getattr(route, "path", "")
            if "{" in path:
                self._patterns.append((route.path_regex, protocol))  # type: ignore[attr-defined]
            else:
                self._plain[path] = protocol

    def of(self, path: str) -> Protocol:
        """The protocol of a path; where there is none, regard's own shape."""
        found = self._plain.get(path)
        if found is None:
            found = next((one for pattern, one in self._patterns if pattern.match(path)), _NONE)
        return found

    def answer(
        self, error: ServiceError, path: str, request_id: str
    ) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        """Status, headers and body."""
        status, values = self.of(path).shape(error, request_id)
        body = json.dumps(values).encode()  # in ASCII, so that half a character in it is no matter
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        if error.retry_after is not None:
            headers.append((b"retry-after", str(math.ceil(error.retry_after)).encode()))
        if status == 401:
            headers.append((b"www-authenticate", b"Bearer"))
        return status, headers, body
