"""Run the service until it is told to stop."""

import asyncio
import contextlib
import resource
import signal
import socket
from collections.abc import Iterator

import uvicorn

from regard.errors import ConfigError, RegardError
from regard.server.connection import connection_class
from regard.server.exposure import check_address
from regard.server.keys import Keys, read_keys
from regard.server.logs import Log, log_libraries
from regard.server.metrics import Metrics
from regard.server.settings import Settings
from regard.server.supervisor import Supervisor
from regard.server.watch import watch

_CONNECTIONS = 4096
"""Open at once; more are refused."""
_LOOK_SECONDS = 0.05
"""How often it is asked whether all models are loaded."""


class _Server(uvicorn.Server):
    """The service hears signals itself, and ends with the exit code 0."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def serve(settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM."""
    check_address(settings)
    keys = read_keys(settings.key_file) if settings.key_file is not None else Keys()
    with listening(settings.host, settings.port) as door:
        asyncio.run(_serve(settings, keys, door))


def listening(host: str, port: int) -> socket.socket:
    """A socket at an address; one that is taken is refused."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise ConfigError(f"{host}:{port}: cannot listen there: {error.strerror}; see --port") from None


async def _serve(settings: Settings, keys: Keys, door: socket.socket) -> None:
    log, metrics = Log(quiet=settings.quiet), Metrics()
    log_libraries(log)
    _allow_files()
    supervisor = Supervisor(settings, metrics, log)
    try:
        await supervisor.start()
        server = _server(settings, keys, supervisor, metrics, log)
        problem = await _until_stopped(server, supervisor, settings, door, log)
    finally:
        await supervisor.stop()
    log.info("stopped")
    if problem is not None:
        raise problem


def _server(settings: Settings, keys: Keys, supervisor: Supervisor, metrics: Metrics, log: Log) -> _Server:
    from regard.server.app import make_app  # takes a while, in which the workers load

    config = uvicorn.Config(
        make_app(supervisor, settings, keys, metrics, log),
        http=connection_class(settings.timeouts),
        ws="none",
        interface="asgi3",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=int(settings.timeouts.drain) + 1,
    )
    return _Server(config)


async def _until_stopped(
    server: _Server, supervisor: Supervisor, settings: Settings, door: socket.socket, log: Log
) -> RegardError | None:
    """Serve until a signal, or until it cannot go on; then why."""
    loop, tasks = asyncio.get_running_loop(), set[asyncio.Task[None]]()

    def stop() -> None:
        if server.should_exit:  # the second time: at once
            supervisor.fail_all()
            server.force_exit = True
            return
        log.info("stopping")
        server.should_exit = True
        tasks.add(loop.create_task(supervisor.drain(settings.timeouts.drain)))

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    supervisor.fatal.add_done_callback(lambda _: stop())
    if settings.watch:
        tasks.add(loop.create_task(watch(supervisor.pools, settings.models, settings.watch_seconds, log)))
    host, port = door.getsockname()[:2]
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    log.info("listening", url=url)
    if not settings.quiet:
        tasks.add(loop.create_task(_say_when_ready(supervisor, url)))
    try:
        await server.serve([door])
    finally:
        for task in tasks:
            task.cancel()
    return supervisor.fatal.result() if supervisor.fatal.done() else None


async def _say_when_ready(supervisor: Supervisor, url: str) -> None:
    """One line for whoever has started it; the log is for machines."""
    while not supervisor.is_ready:
        await asyncio.sleep(_LOOK_SECONDS)
    print(f"{', '.join(supervisor.models)} at {url} (Ctrl-C ends it)", flush=True)


def _allow_files() -> None:
    """A connection is a file; the system lets a process have more than it gives it at first."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536) if hard > 0 else 65536, hard))
