"""Nobody waits longer than the deadline, and nothing is computed for whoever has left."""

import http.client
import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.running import RunningServer, wait_for
from tests.torture.figures import Figures

LONG: dict[str, Any] = {"beam_size": 16, "min_length": 1000, "max_length_extra": 1000}
"""A thousand steps: it takes seconds."""
STEPS = 'regard_search_steps_total{model="language"}'


def leave(server: RunningServer, after: float) -> None:
    """Ask for what takes long, and go away."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    asked = json.dumps({"model": "language", "text": "나는", **LONG})
    connection.request("POST", "/v1/regard/complete", asked, {"Content-Type": "application/json"})
    time.sleep(after)
    connection.close()


@pytest.fixture(scope="module")
def hasty(language_run: Path) -> Iterator[RunningServer]:
    """A service that answers within a second or not at all."""
    with RunningServer({"language": language_run}, "--timeout", "1") as server:
        server.wait_until_ready()
        yield server


def test_the_deadline_is_kept_and_the_worker_is_free_after_it(hasty: RunningServer) -> None:
    begun, before = time.monotonic(), hasty.metric(STEPS)
    answer = hasty.call("language", "complete", "나는", **LONG)
    assert (answer.status, answer.json["error"]["code"], answer.json["error"]["limit"]) == (
        504,
        "deadline",
        1,
    )
    assert 1 <= time.monotonic() - begun < 2.5
    quick = hasty.call("language", "complete", "나는", beam_size=1)
    assert quick.status == 200
    wait_for(lambda: hasty.metric(STEPS) > before)
    assert hasty.metric(STEPS) - before < 1000


@pytest.mark.torture
def test_who_leaves_is_computed_for_no_longer(hasty: RunningServer, figures: Figures, torture: bool) -> None:
    """Each is counted, no slot stays busy, and the search has stopped long before its end."""
    gone, cancelled = 500 if torture else 5, "regard_cancelled_total"
    before, steps = hasty.metric(cancelled), hasty.metric(STEPS)
    for _ in range(gone):
        leave(hasty, after=0.05)
    wait_for(lambda: hasty.metric(cancelled) == before + gone)
    begun = time.monotonic()
    assert hasty.call("language", "complete", "나는", beam_size=1).status == 200
    assert time.monotonic() - begun < 1, "the worker is free"
    assert hasty.metric("regard_requests_in_flight") == 1  # the one that asks
    assert hasty.metric('regard_queue_depth{model="language"}') == 0
    assert hasty.metric(STEPS) - steps < 500 * gone
    figures.add("R17", clients_gone=gone, busy_slots=0)


def test_a_worker_that_does_not_hear_is_ended(hasty: RunningServer) -> None:
    """One that is stopped, as a computation without steps would be; its request gets its 504 all the same."""
    (worker,) = hasty.worker_pids()
    os.kill(worker, signal.SIGSTOP)
    assert hasty.call("language", "complete", "나는").status == 504
    wait_for(lambda: hasty.worker_pids() not in ([worker], []))
    hasty.wait_until_ready()
    assert hasty.call("language", "complete", "나는").status == 200
    (event,) = hasty.events("worker ended")
    assert (event["worker"], event["why"]) == (worker, "stuck")
