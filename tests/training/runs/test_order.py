from pathlib import Path

import pytest
from tests.training.runs.helpers import end, start, step, validation, write_log

from regard.errors import ConfigError
from regard.training.runs.comparison import in_order
from regard.training.runs.history import History, read_history


@pytest.fixture
def histories(tmp_path: Path) -> list[History]:
    logs = {
        "b": [start(), step(9, 1.0), validation(9, 3.0, 30.0, best=True)],
        "a": [start(), step(4, 1.0), validation(4, 2.0, 20.0, best=True), end(seconds=5)],
        "c": [start()],
    }
    return [read_history(name, write_log(tmp_path / name, *events)) for name, events in logs.items()]


@pytest.mark.parametrize(
    ("by", "order"),
    [("name", "abc"), ("state", "abc"), ("step", "bac"), ("seconds", "abc"), ("bleu", "bac"), ("loss", "abc"),
     ("tokens_per_second", "bac")],
)  # fmt: skip
def test_best_first_and_what_lacks_it_last(histories: list[History], by: str, order: str) -> None:
    assert "".join(history.name for history in in_order(histories, by)) == order


def test_of_an_error_the_least_is_the_best(tmp_path: Path) -> None:
    logs = {
        name: {**validation(1, 2.0, 0.0, best=True), "mse": mse} for name, mse in (("x", 3.0), ("y", 1.0))
    }
    histories = [read_history(name, write_log(tmp_path / name, start(), log)) for name, log in logs.items()]
    assert [history.name for history in in_order(histories, "mse")] == ["y", "x"]


def test_an_unknown_name(histories: list[History]) -> None:
    with pytest.raises(ConfigError, match="runs cannot be sorted by 'bleuu'; did you mean 'bleu'"):
        in_order(histories, "bleuu")
