"""One connection: uvicorn's protocol, but a client that is slow is not waited for without end."""

import asyncio
import json
import socket
from asyncio.events import TimerHandle

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from regard.server.settings import Timeouts


class Connection(HttpToolsProtocol):
    """HTTP/1.1, with a time limit on the head of a request, on its body, and on taking the answer."""

    timeouts = Timeouts()
    _timer: TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client is there, and should say something."""
        super().connection_made(transport)
        # Head and body are two writes: the second would wait until the client confirms the first.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._expect_within(self.timeouts.header)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._rest()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        super().on_message_begin()
        self._expect_within(self.timeouts.header)

    def on_headers_complete(self) -> None:
        """Its head is there."""
        self._expect_within(self.timeouts.body)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All of it is there."""
        self._rest()
        super().on_message_complete()

    def pause_writing(self) -> None:
        """The client does not take what it asked for."""
        super().pause_writing()
        self._expect_within(self.timeouts.body)

    def resume_writing(self) -> None:
        """It does."""
        super().resume_writing()
        self._rest()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
        del msg
        self._refuse(400, "Bad Request", "invalid", "this is no request of HTTP/1.1")

    def _expect_within(self, seconds: float) -> None:
        self._rest()
        self._timer = self.loop.call_later(seconds, self._give_up, seconds)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self, seconds: float) -> None:
        self._timer = None
        if self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete:
            self._refuse(408, "Request Timeout", "deadline", f"no whole request within {seconds:g} seconds")
        else:  # in the middle of an answer, or of a body that is being read
            self.transport.abort()

    def _refuse(self, status: int, phrase: str, code: str, message: str) -> None:
        """Say it and close: nobody has seen a request here, so no protocol has a shape for it."""
        body = json.dumps({"error": {"code": code, "message": message}}).encode()
        head = (
            f"HTTP/1.1 {status} {phrase}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()


def connection_class(timeouts: Timeouts) -> type[Connection]:
    """The class of all connections of a service."""
    return type("Connection", (Connection,), {"timeouts": timeouts})
