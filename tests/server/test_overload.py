"""More than it can do: some wait, the others are told at once to come again; and its end while many wait."""

import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.server.running import Answer, RunningServer, is_running
from tests.torture.figures import Figures

SLOW: dict[str, Any] = {"sample": True, "min_length": 20, "max_length_extra": 20}


@pytest.fixture(scope="module")
def busy(language_run: Path) -> Iterator[RunningServer]:
    with RunningServer({"language": language_run}, "--drain", "2", "--per-client", "200") as server:
        server.wait_until_ready()
        yield server


@pytest.mark.torture
def test_a_full_queue_refuses_at_once(busy: RunningServer, figures: Figures, torture: bool) -> None:
    server = busy
    end = time.monotonic() + (60 if torture else 1)
    idle = server.front_bytes()

    def ask(number: int) -> list[Answer]:
        found: list[Answer] = []
        while time.monotonic() < end:  # each a search of its own, so that no two share a batch
            seed = number * 100_000 + len(found)
            found.append(server.call("language", "complete", "나는", seed=seed, **SLOW))
        return found

    with ThreadPoolExecutor(100) as pool:
        answers = [answer for own in pool.map(ask, range(100)) for answer in own]
    by_status = {status: [a for a in answers if a.status == status] for status in {a.status for a in answers}}
    assert set(by_status) == {200, 429}
    for answer in by_status[429]:
        assert answer.headers["retry-after"] == "1"
        assert answer.json["error"]["code"] == "overloaded"
    refused = np.median([answer.seconds for answer in by_status[429]])
    assert refused < (0.1 if torture else 0.5)
    assert server.front_bytes() - idle < 128 * 2**20
    assert server.metric('regard_refused_total{code="overloaded"}') == len(by_status[429])
    assert server.call("language", "complete", "나는").status == 200
    figures.add("R16", answered=len(by_status[200]), refused=len(by_status[429]), other=0)


def test_fifty_in_flight_are_answered(busy: RunningServer) -> None:
    """SIGTERM: each gets 200, or 503 where the time is over; nothing is cut; exit 0, and no children."""
    server, longer = busy, {"sample": True, "min_length": 300, "max_length_extra": 300}
    workers = server.worker_pids()
    with ThreadPoolExecutor(50) as pool:
        asked = [
            pool.submit(server.call, "language", "complete", "나는", seed=seed, **longer)
            for seed in range(50)
        ]
        while server.metric("regard_requests_in_flight") < 51:
            assert not all(one.done() for one in asked)
        begun = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        answers = [one.result() for one in asked]
    assert server.process.wait(10) == 0
    assert time.monotonic() - begun < 2 + 2 + 1
    statuses = {answer.status for answer in answers}
    assert statuses <= {200, 503}
    assert 200 in statuses
    assert all(("results" if answer.status == 200 else "error") in answer.json for answer in answers)
    assert not any(map(is_running, workers))
    with pytest.raises(ConnectionRefusedError):
        server.get("/healthz")
