"""Clients that are slow, or speak no HTTP, are not waited for; who is quick does not notice them."""

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest
import uvicorn
from tests.server.running import RunningServer, wait_for
from tests.torture.figures import Figures

from regard.server.connection import connection_class
from regard.server.settings import Timeouts

HEAD = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answers with what it was sent, ten thousand times; or a million times."""
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body, more = body + message["body"], message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(100 if scope["path"] == "/much" else 1):
        await send({"type": "http.response.body", "body": body * 10_000, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


@pytest.fixture(scope="module")
def impatient() -> Iterator[int]:
    """The port of a service with the same connections, which wait for less than a second."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        config = uvicorn.Config(
            echo, http=connection_class(Timeouts(header=0.3, body=0.6)), lifespan="off", log_config=None
        )
        server = uvicorn.Server(config)
        thread = Thread(target=lambda: asyncio.run(server.serve([door])))
        thread.start()
        yield door.getsockname()[1]
        server.should_exit = True
        thread.join()


def closed_after(port: int, *pieces: bytes) -> tuple[float, bytes]:
    """How long it takes until a connection is closed on which this was sent, and what came."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        begun = time.monotonic()
        for piece in pieces:
            client.sendall(piece)
        found = b""
        while True:
            try:
                data = client.recv(65536)
            except ConnectionResetError:
                break
            if not data:
                break
            found += data
        return time.monotonic() - begun, found


@pytest.mark.parametrize(
    ("pieces", "least"),
    [((), 0.3), ((b"POST / HT",), 0.3), ((HEAD[:-2],), 0.3), ((HEAD,), 0.6), ((HEAD, b"123"), 0.6)],
    ids=["nothing", "half a line", "half a head", "no body", "half a body"],
)
def test_half_a_request_is_waited_for_a_while(
    impatient: int, pieces: tuple[bytes, ...], least: float
) -> None:
    seconds, found = closed_after(impatient, *pieces)
    assert least <= seconds < least + 2
    if least == 0.3:
        assert found.startswith(b"HTTP/1.1 408 ")
        assert json.loads(found.partition(b"\r\n\r\n")[2])["error"]["code"] == "deadline"
    else:
        assert found == b""


def test_a_slow_body_has_the_same_time_as_none(impatient: int) -> None:
    with socket.create_connection(("127.0.0.1", impatient), timeout=10) as client:
        client.sendall(HEAD)
        begun = time.monotonic()
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            while time.monotonic() - begun < 5:
                client.sendall(b"1")
                time.sleep(0.15)
        assert time.monotonic() - begun < 2


def test_who_does_not_take_the_answer_is_dropped(impatient: int) -> None:
    with socket.create_connection(("127.0.0.1", impatient), timeout=10) as client:
        client.sendall(HEAD.replace(b"/ ", b"/much ") + b"0123456789")
        time.sleep(1.5)
        size = 0
        with contextlib.suppress(ConnectionResetError):
            while data := client.recv(65536):
                size += len(data)
        assert size < 10**7


def test_what_is_no_http_is_told_so(impatient: int) -> None:
    _, found = closed_after(impatient, b"\x16\x03\x01 hello\r\n\r\n")
    assert found.startswith(b"HTTP/1.1 400 ")
    assert json.loads(found.partition(b"\r\n\r\n")[2])["error"]["code"] == "invalid"


@pytest.mark.torture
def test_slow_clients_do_not_slow_others(
    running_server: RunningServer, figures: Figures, torture: bool
) -> None:
    """They hold no thread and no worker."""
    count, asked = (500, 200) if torture else (100, 15)

    def seconds() -> list[float]:
        return sorted(running_server.call("opinions", "classify", "좋다").seconds for _ in range(asked))

    before = seconds()
    slow = [socket.create_connection(("127.0.0.1", running_server.port)) for _ in range(count)]
    try:
        for client in slow:
            client.sendall(b"POST /v1/regard/classify HTTP/1.1\r\nHos")
        during = seconds()
    finally:
        for client in slow:
            client.close()
    assert during[len(during) // 2] < 2 * before[len(before) // 2] + 0.05
    wait_for(lambda: running_server.metric("process_open_fds") < count)
    figures.add("R26", slow_clients=count)
