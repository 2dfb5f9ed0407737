"""The end: whoever waits is answered, processes do not stay behind, and a worker that dies is replaced."""

import os
import shutil
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import Serve
from tests.server.running import Answer, RunningServer, is_running, wait_for

SLOW: dict[str, Any] = {"sample": True, "min_length": 300, "max_length_extra": 300}


def ask(server: RunningServer, seed: int, model: str = "language") -> Answer:
    return server.call(model, "complete", "나는", **SLOW, seed=seed)


def test_a_worker_that_dies_takes_only_its_own_requests(
    serve: Serve, language_run: Path, opinions: Path
) -> None:
    """503 at once, another worker soon; the other model does not notice. When the front dies, all go."""
    server = serve({"language": language_run, "opinions": opinions})
    language, other = server.worker_pids("language"), server.worker_pids("opinions")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask, server, 1)
        while server.metric("regard_requests_in_flight") < 2:
            assert not asked.done()
        begun = time.monotonic()
        os.kill(language[0], signal.SIGKILL)
        answer = asked.result()
        assert (answer.status, answer.json["error"]["code"]) == (503, "unavailable")
        assert time.monotonic() - begun < 1
        assert server.get("/readyz").status == 503
        assert server.call("opinions", "classify", "좋다").status == 200
        waits = pool.submit(ask, server, 2)  # for the new one
        server.wait_until_ready()
        assert waits.result().status == 200
    assert server.worker_pids("opinions") == other
    (event,) = server.events("worker ended")
    assert (event["model"], event["worker"]) == ("language", language[0])
    left = server.worker_pids("language") + other
    server.process.kill()
    wait_for(lambda: not any(map(is_running, left)))


@pytest.mark.long("test_a_worker_that_dies_takes_only_its_own_requests")
def test_five_ends_within_a_minute_end_the_service(serve: Serve, opinions: Path) -> None:
    server = serve({"opinions": opinions})
    for _ in range(5):
        wait_for(lambda: bool(server.worker_pids()))
        (worker,) = server.worker_pids()
        os.kill(worker, signal.SIGKILL)
        wait_for(lambda worker=worker: not is_running(worker))  # type: ignore[misc]
    assert server.process.wait(30) == 2
    assert "opinions: its process ended 5 times within 60 seconds" in server.log


def test_what_cannot_be_loaded_is_told_in_one_line(serve: Serve, opinions: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    shutil.copytree(opinions, damaged)
    for weights in damaged.rglob("model.safetensors"):
        weights.write_bytes(weights.read_bytes()[:-10])
    server = serve({"damaged": damaged}, ready=False)
    assert server.process.wait(60) == 2, server.log
    (line,) = [line for line in server.log.splitlines() if not line.startswith("{")]
    assert line.startswith("regard: ")
    assert "model.safetensors" in line
