"""Run the service until it is told to stop."""

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import Iterator

import uvicorn

from regard.errors import ConfigError, StoreError
from regard.server.app import make_app
from regard.server.settings import Settings
from regard.server.supervisor import Supervisor


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """The service hears signals itself, and ends with the exit code 0."""
        yield


def serve(settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM."""
    asyncio.run(_serve(settings))


def listening(host: str, port: int) -> socket.socket:
    """A socket at an address; one that is taken is refused."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise ConfigError(
            f"{host}:{port}: cannot listen there: {error.strerror}; choose another --port"
        ) from None


async def _serve(settings: Settings) -> None:
    door = listening(settings.host, settings.port)
    supervisor = Supervisor(settings)
    await supervisor.start()
    config = uvicorn.Config(
        make_app(supervisor, settings),
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="off",
    )
    server = _Server(config)

    def stop() -> None:
        server.should_exit = True

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    loading = asyncio.create_task(_loaded(supervisor))
    loading.add_done_callback(lambda _: stop() if loading.exception() else None)
    try:
        print(f"listening on {':'.join(map(str, door.getsockname()[:2]))}", file=sys.stderr, flush=True)
        await server.serve([door])
    finally:
        await supervisor.stop()
    if loading.done():
        loading.result()


async def _loaded(supervisor: Supervisor) -> None:
    """Wait for every model; the first that cannot be loaded is told."""
    for pool in supervisor.pools.values():
        for worker in list(pool.workers):
            await worker.ready
            if worker.problem is not None:
                raise StoreError(worker.problem)
