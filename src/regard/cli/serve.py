"""regard serve: models behind HTTP."""

import re
from pathlib import Path
from typing import Annotated

from regard.cli.options import Device, Quiet, Threads, argument, option
from regard.errors import ConfigError, MissingExtraError
from regard.store.resolve import check_model

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def serve(
    served: Annotated[
        list[str],
        argument("MODEL...", "Run folders or model folders; or NAME=FOLDER, to name one otherwise."),
    ],
    host: Annotated[str, option("ADDRESS", "The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, option("N", "The port; 0 is a free one.", least=0, most=65535)] = 8000,
    workers: Annotated[int, option("N", "Processes for each model.", least=1, most=64)] = 1,
    device: Device = "cpu",
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Serve models over HTTP, to clients that speak one of the protocols that regard knows.

    Examples:

      regard serve runs/ko-en runs/mood --port 8000
    """
    named = named_models(served)
    try:
        from regard.server.run import serve as run
        from regard.server.settings import Settings
    except ModuleNotFoundError:
        raise MissingExtraError("serving models", "serve") from None
    run(
        Settings(
            models=named, host=host, port=port, workers=workers, device=device, threads=threads, quiet=quiet
        )
    )


def named_models(given: list[str]) -> dict[str, Path]:
    """Folders by the names under which they are served; what holds no model is refused."""
    found: dict[str, Path] = {}
    for one in given:
        name, equals, folder = one.partition("=")
        path = Path(folder if equals else one)
        check_model(path)
        name = name if equals else path.resolve().name
        if not _NAME.fullmatch(name):
            raise ConfigError(
                f"{one}: expected a name of letters, digits, '.', '_' and '-', found '{name}'; "
                f"NAME=FOLDER names it otherwise"
            )
        if name in found:
            raise ConfigError(f"{one}: two models are called '{name}'; NAME=FOLDER names one otherwise")
        found[name] = path.resolve()
    return found
