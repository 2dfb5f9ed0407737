"""regard serve: models behind HTTP."""

import importlib.util
import re
from pathlib import Path
from typing import Annotated

from regard.cli.options import Device, Quiet, Threads, argument, option, switch
from regard.errors import ConfigError, MissingExtraError
from regard.plugins import given_plugins
from regard.store.resolve import check_model

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_NEEDED = ("fastapi", "httptools", "prometheus_client", "python_multipart", "uvicorn")


def serve(
    served: Annotated[
        list[str],
        argument(
            "MODEL...", "Run folders or model folders, each by its name; NAME=FOLDER names one otherwise."
        ),
    ],
    host: Annotated[str, option("ADDRESS", "The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, option("N", "The port; 0 is a free one.", least=0, most=65535)] = 8000,
    api_key_file: Annotated[
        Path | None, option("FILE", "Keys that clients need, one a line; without it, none is needed.")
    ] = None,
    open_to_all: Annotated[
        bool,
        switch("Let everybody ask who reaches an address that is not this machine's alone.", "--open-to-all"),
    ] = False,
    allow_host: Annotated[
        list[str] | None, option("NAME", "A name that clients know this machine by; may come several times.")
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        option("URL", "Whose pages may ask from a browser, as https://example.org; likewise."),
    ] = None,
    workers: Annotated[int, option("N", "Processes for each model.", least=1, most=64)] = 1,
    queue: Annotated[
        int, option("N", "Requests of a model that may wait; more are refused.", least=1, most=65536)
    ] = 64,
    per_client: Annotated[
        int | None,
        option(
            "N",
            "Requests that a key, or an address without keys, may have under way; by default half the queue.",
            least=1,
            most=65536,
        ),
    ] = None,
    timeout: Annotated[
        float, option("NUMBER", "Seconds within which a request is answered.", least=0.1, most=3600)
    ] = 30.0,
    drain: Annotated[
        float, option("NUMBER", "Seconds for what is under way when it is to stop.", least=0, most=3600)
    ] = 20.0,
    watch: Annotated[
        bool, switch("Serve a new best checkpoint of a run as soon as it is there.", "--watch")
    ] = False,
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Serve models over HTTP, to clients that speak one of the protocols that regard knows.

    It logs to stderr, a JSON object a line, without texts. SIGTERM and Ctrl-C end it once all is answered.

    Examples:

      regard serve runs/ko-en runs/mood --port 8000

      regard serve english=runs/ko-en --api-key-file keys --host 0.0.0.0 --workers 2

      regard serve runs/ko-en --watch
    """
    models = named_models(served)
    if not all(importlib.util.find_spec(name) for name in _NEEDED):
        raise MissingExtraError("serving models", "serve")
    from regard.server import run
    from regard.server.settings import Settings, Timeouts

    run.serve(
        Settings(
            models=models,
            host=host,
            port=port,
            key_file=api_key_file,
            open_to_all=open_to_all,
            allowed_hosts=tuple(allow_host or ()),
            allowed_origins=tuple(allow_origin or ()),
            workers=workers,
            threads=threads,
            device=device,
            plugins=given_plugins(),
            watch=watch,
            queue=queue,
            per_client=per_client,
            timeouts=Timeouts(request=timeout, drain=drain),
            quiet=quiet,
        )
    )


def named_models(given: list[str]) -> dict[str, Path]:
    """Folders by the names under which they are served; what holds no model is refused."""
    found: dict[str, Path] = {}
    for one in given:
        name, equals, folder = one.partition("=")
        path = Path(folder if equals else one)
        check_model(path)
        if not equals:
            typed = path.absolute().name
            name = path.resolve().name if typed == ".." else typed  # a link has a name of its own
        if not _NAME.fullmatch(name):
            raise ConfigError(
                f"{one}: expected a name of letters, digits, '.', '_' and '-', found '{name}'; "
                f"NAME=FOLDER names it otherwise"
            )
        if name in found:
            raise ConfigError(f"{one}: two models are called '{name}'; NAME=FOLDER names one otherwise")
        found[name] = path.absolute()
    return found
