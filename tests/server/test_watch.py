"""A run that goes on is served: a new best checkpoint takes over, and no request is dropped."""

import shutil
import threading
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from tests.server.conftest import Serve
from tests.server.running import is_running, wait_for

from regard.store.folder import files_of, read_model
from regard.store.pointer import commit_best


def test_a_new_best_checkpoint_takes_over(serve: Serve, opinions: Path, tmp_path: Path) -> None:
    """The service is asked all the time; its answers change once, to those of the new one."""
    run = tmp_path / "run"
    shutil.copytree(opinions, run)
    server = serve({"opinions": run}, "--watch")
    before = server.worker_pids()
    statuses: list[int] = []
    probabilities: list[float] = []
    enough = threading.Event()

    def ask() -> None:
        while not enough.is_set():
            answer = server.call("opinions", "classify", "이 책은 아주 좋다.")
            statuses.append(answer.status)
            probabilities.append(answer.json["results"][0]["probability"])

    asking = [threading.Thread(target=ask) for _ in range(4)]
    for thread in asking:
        thread.start()
    try:
        stored = read_model(run)
        halved = {name: value / 2 for name, value in stored.weights.items()}
        commit_best(run, "average-1", files_of(replace(stored, weights=halved)))
        wait_for(lambda: len(set(probabilities)) == 2, 60)
        wait_for(lambda: not any(map(is_running, before)))
    finally:
        enough.set()
        for thread in asking:
            thread.join()
    assert set(statuses) == {200}
    first, *_, last = probabilities
    changes = sum(one != other for one, other in pairwise(probabilities))
    assert first != last
    assert changes <= 2 * len(asking)  # while it changes, threads write down what they got in any order
    digests = {event["digest"] for event in (*server.events("loaded"), *server.events("replaced"))}
    assert len(digests) == 2
