"""More than it can do: some wait, the others are told at once to come again; and its end while many wait."""

import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.server.running import Answer, RunningServer, is_running, wait_for
from tests.torture.figures import Figures

SLOW: dict[str, Any] = {"sample": True, "min_length": 20, "max_length_extra": 20}


@pytest.fixture(scope="module")
def busy(language_run: Path) -> Iterator[RunningServer]:
    with RunningServer({"language": language_run}, "--drain", "2", "--per-client", "200") as server:
        server.wait_until_ready()
        yield server


def median_seconds(server: RunningServer) -> float:
    """Of a few short requests, one after the other."""
    answers = [server.call("language", "complete", "나는", max_length_extra=4) for _ in range(5)]
    assert all(answer.status == 200 for answer in answers)
    return float(np.median([answer.seconds for answer in answers]))


@pytest.mark.torture
def test_a_full_queue_refuses_at_once(busy: RunningServer, figures: Figures, torture: bool) -> None:
    server = busy
    usual = median_seconds(server)
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
    wait_for(lambda: median_seconds(server) < 2 * usual + 0.02, 10)  # it is as quick as before
    figures.add("R16", answered=len(by_status[200]), refused=len(by_status[429]), other=0)


@pytest.mark.torture
def test_the_front_answers_while_models_compute(busy: RunningServer, figures: Figures, torture: bool) -> None:
    """The longest requests that there may be, and many of them; the front computes nothing itself."""
    server, count = busy, 100 if torture else 8
    asked = 200 if torture else 20
    text = "나는 책을 읽었다. " * 900

    def ask(_: int) -> int:
        return server.call("language", "score", text).status

    while ask(0) == 413:
        text = text[: len(text) * 9 // 10]

    with ThreadPoolExecutor(count) as pool:
        computing = [pool.submit(ask, number) for number in range(count)]
        seconds = sorted(server.get("/healthz").seconds for _ in range(asked))
        statuses = {one.result() for one in computing}
    assert 200 in statuses
    assert statuses <= {200, 429}
    assert seconds[int(0.99 * asked) - 1] < (0.1 if torture else 0.5)
    figures.add("R19", longest_requests=count, looks_at_healthz=asked, slow=0)


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
