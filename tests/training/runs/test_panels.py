from pathlib import Path

import pytest
from tests.training.runs.helpers import WHOLE, start, step, validation, write_log

from regard.config.catalogue import RECIPES
from regard.errors import ConfigError
from regard.training.runs.history import Axis, History, read_history
from regard.training.runs.panels import choose_measure, make_panels


def read(run: Path, *events: dict[str, object], axis: Axis = "step", measure: str = "nll") -> History:
    return read_history(run.name, write_log(run, *events), axis=axis, measures={"nll", measure})


def test_two_panels_by_hand(tmp_path: Path) -> None:
    loss, bleu = make_panels([read(tmp_path, *WHOLE)], "bleu", "step")
    (curve,) = loss.curves
    assert curve.train == [(1, 4), (2, 3), (4, 1)]
    assert curve.dev == [(2, 3.5), (4, 2.5)]
    assert curve.best == (2, 3.5)  # the loss of the model that is kept, which is not the least
    assert bleu.curves[0].line == [(2, 10), (4, 8)]
    assert (loss.end, bleu.end) == (4, 4)


def test_a_measure_of_steps(tmp_path: Path) -> None:
    history = read(tmp_path, *WHOLE, measure="tokens_per_second")
    _, speed = make_panels([history], "tokens_per_second", "step")
    assert speed.curves[0].train == [(1, 100), (2, 200), (3, 300), (4, 400)]
    assert (speed.curves[0].dev, speed.title) == ([], "tokens_per_second of training")


@pytest.mark.parametrize("task", [*RECIPES, "of-tomorrow"])
def test_every_task_says_what_its_loss_is_a_mean_over(tmp_path: Path, task: str) -> None:
    begun = start()
    begun["recipe"]["task"] = task
    panel, *_ = make_panels([read(tmp_path, begun, step(1, 2.0))], "loss", "step")
    unit = RECIPES[task].loss_unit if task in RECIPES else "unit"
    assert panel.title == f"loss per {unit}, train and dev"


def test_the_loss_is_drawn_once(tmp_path: Path) -> None:
    assert len(make_panels([read(tmp_path, *WHOLE)], "loss", "step")) == 1


@pytest.mark.parametrize(
    ("steps", "unit", "last"), [(4, "seconds", 8.0), (120, "minutes", 4.0), (7200, "hours", 4.0)]
)
def test_time_has_a_fitting_unit(tmp_path: Path, steps: int, unit: str, last: float) -> None:
    history = read(tmp_path, start(), step(1, 2.0), step(steps, 1.0), axis="seconds")
    (panel,) = make_panels([history], "loss", "seconds")
    assert (panel.axis, panel.end) == (unit, last)


def test_a_log_without_times(tmp_path: Path) -> None:
    history = read(tmp_path, {"event": "step", "step": 1, "nll": 2.0}, axis="seconds")
    with pytest.raises(ConfigError, match="do not say the time of their steps; choose --x step"):
        make_panels([history], "loss", "seconds")


def test_the_measure_is_chosen(tmp_path: Path) -> None:
    by_bleu = read(tmp_path / "a", *WHOLE)
    by_loss = read(tmp_path / "b", start(best_by="loss"), validation(1, 2.0, 3.0, best=True))
    begun = read(tmp_path / "c", start())
    assert choose_measure([by_bleu], None) == "bleu"
    assert choose_measure([begun, by_loss], None) == "bleu"
    assert choose_measure([begun], None) == "loss"
    assert choose_measure([by_bleu], "perplexity") == "perplexity"
    with pytest.raises(ConfigError, match="no log has a metric 'blue'; did you mean 'bleu'"):
        choose_measure([by_bleu], "blue")
    with pytest.raises(ConfigError, match="no log has a metric 'bleu'; there is no step in it yet"):
        choose_measure([begun], "bleu")


def test_nothing_to_draw(tmp_path: Path) -> None:
    assert make_panels([read(tmp_path, start())], "loss", "step") == []
