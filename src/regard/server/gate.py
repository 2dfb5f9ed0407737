"""What every request passes before any route: who asks, under which name, and how much."""

import asyncio
import re
import time
import uuid
from collections.abc import Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from regard.server.answers import Answers
from regard.server.clients import Clients
from regard.server.exposure import check_host, check_origin
from regard.server.keys import Keys, key_in_body, key_in_headers
from regard.server.logs import Log
from regard.server.metrics import OUTSIDE, Metrics
from regard.server.service import ServiceError
from regard.server.settings import Settings

OPEN_PATHS = ("/healthz", "/readyz")
"""What needs no key: they tell nothing."""
GONE = 499
"""How a request is counted whose client left."""
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_SAFE = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"cache-control", b"no-store"),
]


class _GoneError(Exception):
    """The client has left."""


class _Exchange:
    """One request, and what has been answered so far."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self.headers: dict[bytes, bytes] = dict(scope["headers"])
        self.origin = self.headers.get(b"origin", b"").decode("latin-1").lower()
        given = self.headers.get(b"x-request-id", b"")
        self.request_id = given.decode() if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        self.extra: list[tuple[bytes, bytes]] = [*_SAFE, (b"x-request-id", self.request_id.encode())]
        self.client = (scope.get("client") or ("",))[0].encode()
        """Its address; where there are keys, its key."""
        self.status: int | None = None
        self.is_finished = False
        self.code: str | None = None
        """Of the error, where it was refused here."""
        self._send = send

    async def send(self, message: Message) -> None:
        """Pass a part of the answer on, with the headers that every one has."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            own = {name for name, _ in message.get("headers", ())}
            extra = [header for header in self.extra if header[0] not in own]
            message = {**message, "headers": [*message.get("headers", ()), *extra]}
        elif message["type"] == "http.response.body" and not message.get("more_body"):
            self.is_finished = True
        await self._send(message)


class Gate:
    """The application with its guards around it."""

    def __init__(
        self, app: ASGIApp, settings: Settings, keys: Keys, answers: Answers, metrics: Metrics, log: Log
    ) -> None:
        self._app, self._settings, self._keys = app, settings, keys
        self._answers, self._metrics, self._log = answers, metrics, log
        self._clients = Clients(settings.most_per_client, metrics)
        self._hosts = {name.lower() for name in (*settings.allowed_hosts, settings.host)}
        self._origins = {origin.lower().rstrip("/") for origin in settings.allowed_origins}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            return
        exchange, begun = _Exchange(scope, send), time.perf_counter()
        scope["request_id"] = exchange.request_id
        self._metrics.in_flight.inc()
        try:
            await self._handle(scope, receive, exchange)
        finally:
            self._metrics.in_flight.dec()
            self._count(scope, exchange, time.perf_counter() - begun)

    async def _handle(self, scope: Scope, receive: Receive, exchange: _Exchange) -> None:
        path = scope["path"]
        if exchange.origin in self._origins:  # it may read what is refused, too
            exchange.extra += [
                (b"access-control-allow-origin", exchange.headers[b"origin"]),
                (b"access-control-expose-headers", b"retry-after, x-request-id"),
                (b"vary", b"Origin"),
            ]
        try:
            if self._is_preflight(scope, exchange):
                await self._allow(exchange)
                return
            body = await self._admitted(scope, receive, exchange)
            if scope["method"] != "POST":  # nothing is computed
                await self._run(scope, body, receive, exchange)
                return
            with self._clients.one_more(exchange.client):
                await self._run(scope, body, receive, exchange)
        except _GoneError:
            exchange.status = GONE
            self._metrics.cancelled.inc()
        except ServiceError as error:
            await self._refuse(error, path, exchange)
        except asyncio.CancelledError:  # the service ends, and has waited as long as it may
            await self._refuse(
                ServiceError(503, "unavailable", "the service is stopping", retry_after=5), path, exchange
            )
        except Exception as error:
            self._log.error("failed", error, request_id=exchange.request_id)
            if exchange.status is None:
                await self._refuse(
                    ServiceError(500, "internal", "the request could not be answered"), path, exchange
                )

    async def _admitted(self, scope: Scope, receive: Receive, exchange: _Exchange) -> bytes:
        """The body of a request that may come in."""
        headers = exchange.headers
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1:
            raise ServiceError(
                400,
                "invalid",
                f"expected one header Host, found {len(hosts)}",
                field="Host",
                found=len(hosts),
            )
        check_host(hosts[0], self._hosts)
        if b"origin" in headers:
            check_origin(headers[b"origin"], hosts[0], self._origins)
        path = scope["path"]
        if not self._keys or path in OPEN_PATHS:
            return await self._body(receive, headers)
        key = key_in_headers(headers)
        field = self._answers.of(path).key_field
        if key is None and field is not None:
            body = await self._body(receive, headers)
            key = key_in_body(body, headers.get(b"content-type", b""), field)
            exchange.client = self._checked_key(key)
            return body
        exchange.client = self._checked_key(key)
        return await self._body(receive, headers)

    def _checked_key(self, key: bytes | None) -> bytes:
        if key is None or not self._keys.accept(key):
            what = "a key is needed" if key is None else "this key is not known"
            raise ServiceError(
                401, "unauthorized", f"{what}: send it as `Authorization: Bearer KEY` or `X-API-Key: KEY`"
            )
        return key

    async def _body(self, receive: Receive, headers: Mapping[bytes, bytes]) -> bytes:
        """All of it, if it is not too large; of one that says so itself, nothing is read."""
        limit = self._settings.limits.body_bytes
        told = headers.get(b"content-length", b"0")
        if told.isdigit() and int(told) > limit:
            raise _too_large(int(told), limit)
        parts, size = [], 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise _GoneError
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > limit:
                raise _too_large(size, limit)
            if not message.get("more_body"):
                return b"".join(parts)

    async def _run(self, scope: Scope, body: bytes, receive: Receive, exchange: _Exchange) -> None:
        """Let the routes answer; a client that leaves takes its request with it."""
        task = asyncio.current_task()
        gone = asyncio.Event()
        given: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            if given:
                return given.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def watch() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            if not exchange.is_finished and task is not None:
                gone.set()
                task.cancel()

        watcher = asyncio.get_running_loop().create_task(watch())
        try:
            await self._app(scope, replay, exchange.send)
        except asyncio.CancelledError:
            if gone.is_set():
                raise _GoneError from None
            raise
        finally:
            watcher.cancel()

    async def _refuse(self, error: ServiceError, path: str, exchange: _Exchange) -> None:
        if exchange.status is not None:  # half an answer is out: the connection is closed
            return
        exchange.code = error.code
        status, headers, body = self._answers.answer(error, path, exchange.request_id)
        await exchange.send({"type": "http.response.start", "status": status, "headers": headers})
        await exchange.send({"type": "http.response.body", "body": body})

    def _is_preflight(self, scope: Scope, exchange: _Exchange) -> bool:
        """Whether a browser asks on behalf of a page that is allowed; it sends no key with that."""
        asked = b"access-control-request-method" in exchange.headers
        return scope["method"] == "OPTIONS" and asked and exchange.origin in self._origins

    async def _allow(self, exchange: _Exchange) -> None:
        headers = [
            (b"access-control-allow-methods", b"GET, POST"),
            (b"access-control-allow-headers", b"authorization, content-type, x-api-key, x-request-id"),
            (b"access-control-max-age", b"600"),
        ]
        await exchange.send({"type": "http.response.start", "status": 204, "headers": headers})
        await exchange.send({"type": "http.response.body", "body": b""})

    def _count(self, scope: Scope, exchange: _Exchange, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", None) or OUTSIDE
        method = scope["method"] if scope["method"] in _METHODS else OUTSIDE
        status = exchange.status or 500
        self._metrics.requests.labels(route, method, str(status)).inc()
        self._metrics.seconds.labels(route).observe(seconds)
        code = exchange.code or scope.get("error_code")
        if code is not None:
            self._metrics.refused.labels(code).inc()
        if route not in OPEN_PATHS:  # machines ask there every few seconds
            self._log.info(
                "request",
                request_id=exchange.request_id,
                route=route,
                method=method,
                status=status,
                code=code,
                seconds=round(seconds, 6),
            )


def _too_large(found: int, limit: int) -> ServiceError:
    return ServiceError(
        413,
        "too_large",
        f"expected a body of at most {limit:,} bytes, found {found:,}",
        field="body",
        limit=limit,
        found=found,
    )


def told_error(scope: Scope, error: ServiceError) -> None:
    """Let the counters know of an error that a route told itself."""
    scope["error_code"] = error.code
