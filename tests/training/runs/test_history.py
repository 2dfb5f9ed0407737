import tracemalloc
from pathlib import Path

import pytest
from tests.training.runs.helpers import STEPS, WHOLE, end, start, step, validation, write_log

from regard.store.lock import locked
from regard.training.runs.history import History, number, read_history


def test_a_run_by_hand(tmp_path: Path) -> None:
    history = read_history("r", write_log(tmp_path, *WHOLE), measures=["nll"])
    assert history.state == "finished"
    assert history.seconds == 17.0
    assert history.asked("epochs") == 2
    assert history.best is not None
    assert (history.best["step"], history.best["bleu"]) == (2, 10.0)
    assert history.dev("bleu") == [(2, 10), (4, 8)]
    assert history.bins["nll"].points() == [(1, 4), (2, 3), (4, 1)]  # step 3 has no number
    assert history.measures() == ["nll", "tokens_per_second"]
    assert history.scores() == ["loss", "perplexity", "bleu"]


@pytest.mark.parametrize(("axis", "places"), [("epoch", [0.25, 0.5, 1]), ("seconds", [2, 4, 8])])
def test_other_axes(tmp_path: Path, axis: str, places: list[float]) -> None:
    history = read_history("r", write_log(tmp_path, *WHOLE), axis=axis, measures=["nll"])  # type: ignore[arg-type]
    assert [x for x, _ in history.bins["nll"].points()] == places
    assert [x for x, _ in history.dev("bleu")] == ([0.5, 1] if axis == "epoch" else [5, 9])


def test_memory_does_not_grow_with_the_log(tmp_path: Path) -> None:
    """About 0.2 MB; the events of this log, kept, would be 30 MB, and the points of its curve 5 MB."""
    write_log(tmp_path, start(), *(step(number, 1.0) for number in range(1, 40_001)))
    tracemalloc.start()
    history = read_history("r", tmp_path, measures=["nll"])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert history.last["step"] == 40_000
    assert most < 500_000


def test_states(tmp_path: Path) -> None:
    unfinished = write_log(tmp_path / "a", start(), *STEPS)
    assert read_history("a", unfinished).state == "unfinished"
    with locked(unfinished):
        assert read_history("a", unfinished).state == "running"
    assert read_history("a", unfinished).state == "unfinished"
    early = write_log(tmp_path / "b", start(), *STEPS, end(stopped_early=True))
    assert read_history("b", early).state == "stopped early"


def test_the_time_of_an_unfinished_run(tmp_path: Path) -> None:
    assert read_history("a", write_log(tmp_path / "a", start(), *STEPS)).seconds == 8.0
    after = [start(), *STEPS, validation(4, 1.0, 1.0, best=True)]
    assert read_history("b", write_log(tmp_path / "b", *after)).seconds == 9.0


def test_a_run_that_has_only_begun(tmp_path: Path) -> None:
    history = read_history("r", write_log(tmp_path))
    assert (history.state, history.seconds, history.best, history.scores()) == ("unfinished", None, None, [])
    assert history.to_dict()["step"] == 0


def test_steps_left_out_are_counted(tmp_path: Path) -> None:
    events = [start(), step(1, 2.0), {"event": "left_out", "step": 2, "policy": "skip", "where": "x"}]
    assert read_history("r", write_log(tmp_path, *events)).to_dict()["left_out"] == 1


@pytest.mark.parametrize("fact", [True, None, "3", [1], float("nan"), float("inf"), 10**400, {}])
def test_what_is_no_number(fact: object) -> None:
    assert number(fact) is None


def test_a_recipe_of_another_shape_is_no_crash() -> None:
    assert History("r", Path(), "step", recipe={"training": [1]}).asked("epochs") is None
