"""A run that was stopped goes on to the same bits, whatever the model and wherever it was stopped.

The cells are models x stops x accumulation x text. `make test` runs 24 of them or a few more, chosen so that
every value of every axis occurs; `make torture` runs all.
"""

import os
import signal
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.contracts.models import MODELS
from tests.torture.figures import Figures
from tests.training.tiny import TINY, assert_same, last, stop_in
from tests.training.tiny import steps as steps_of

import regard
from regard.config.load import load_recipe
from regard.errors import StoppedError
from regard.tasks.translation.trainer import TranslationTrainer
from regard.training.state import TrainerState

pytestmark = pytest.mark.torture

STOPS = ["first", "mid", "last of epoch", "boundary", "first of next", "last but one"]
ACCUMULATE = {1: "data.train.rows=25", 3: "data.train.rows=50"}
"""How many batches a step has, and so many rows that an epoch has four steps or five."""
TEXTS = {"plain": "text.dropout=0", "respelt": "text.dropout=0.1"}
"""Other loaders have worker processes that draw random numbers of their own; here BPE-dropout draws them."""
QUICK = 24


class Cell(NamedTuple):
    model: str
    stop: str
    accumulate: int
    text: str


ALL = [Cell(*cell) for cell in product(MODELS, STOPS, ACCUMULATE, TEXTS)]


def quick_cells() -> list[Cell]:
    """Some cells of each model; the stops go round, the other axes change from one to the next."""
    each = -(-QUICK // len(MODELS))
    cells = []
    for number, model in enumerate(MODELS):
        for place in range(number * each, (number + 1) * each):
            half = (place + place // len(STOPS)) % 2
            text = list(TEXTS)[(half + number) % 2]
            cells.append(Cell(model, STOPS[place % len(STOPS)], list(ACCUMULATE)[half], text))
    return cells


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "cell" in metafunc.fixturenames:
        cells = ALL if metafunc.config.getoption("torture") else quick_cells()
        metafunc.parametrize("cell", sorted(cells), ids=lambda cell: "-".join(map(str, cell)))


def test_the_quick_cells_touch_every_value_of_every_axis() -> None:
    cells = quick_cells()
    assert len(set(cells)) == len(cells) >= QUICK
    models, stops, accumulate, texts = map(set, zip(*cells, strict=True))
    assert (models, stops, accumulate, texts) == (set(MODELS), set(STOPS), set(ACCUMULATE), set(TEXTS))
    for stop in STOPS:
        assert {cell.accumulate for cell in cells if cell.stop == stop} == set(ACCUMULATE), stop


def train_cell(cell: Cell, out: Path) -> None:
    joint = str(MODELS[cell.model].needs_one_vocabulary is not None).lower()
    settings = [f"training.accumulate={cell.accumulate}", ACCUMULATE[cell.accumulate], TEXTS[cell.text]]
    recipe = load_recipe("demo", [*TINY, *settings, f"text.joint={joint}"]).model_copy(
        update={"model": MODELS[cell.model]}
    )
    regard.train(recipe, out=out, quiet=True)


Whole = Callable[[Cell], Path]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    """The run that was never stopped, made once for all stops."""

    @cache
    def run(cell: Cell) -> Path:
        out = tmp_path_factory.mktemp("whole") / "r"
        train_cell(cell, out)
        return out

    yield lambda cell: run(cell._replace(stop=""))
    run.cache_clear()


class Killed(BaseException):
    """Nobody catches this: the run ends where it stands."""


def stop_at_the_boundary(monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    """Twice: in the validation after an epoch's last step, and when that validation has been saved."""
    validate, save = TranslationTrainer.validate, TranslationTrainer.save
    calls: list[int] = []

    def interrupted(self: TranslationTrainer) -> dict[str, float]:
        calls.append(1)
        if len(calls) == 2:  # the first was in the middle of the epoch
            os.kill(os.getpid(), signal.SIGTERM)
        return validate(self)

    def killed(self: TranslationTrainer, kept: TrainerState, *, best: bool, score: float | None) -> None:
        save(self, kept, best=best, score=score)
        if (kept.progress.step, kept.progress.validated) == (step, True):
            raise Killed

    monkeypatch.setattr(TranslationTrainer, "validate", interrupted)
    monkeypatch.setattr(TranslationTrainer, "save", killed)


def test_a_stopped_run_goes_on_to_the_same_bits(
    tmp_path: Path, whole: Whole, cell: Cell, monkeypatch: pytest.MonkeyPatch, figures: Figures
) -> None:
    steps = steps_of(whole(cell))
    total, first = len(steps), len([event for event in steps if event["epoch"] <= 1])
    assert first >= 3
    assert total >= first + 3, "the stops are different ones"
    run = tmp_path / "r"
    if cell.stop == "boundary":
        stop_at_the_boundary(monkeypatch, first)
        for ended in (StoppedError, Killed):
            with pytest.raises(ended):
                train_cell(cell, run)
            assert last(run).progress["step_of_epoch"] == first
            assert last(run).progress["validated"] == (ended is Killed)
    else:
        step = {
            "first": 1,
            "mid": first // 2 + 1,
            "last of epoch": first,
            "first of next": first + 1,
            "last but one": total - 1,
        }[cell.stop]
        stop_in(monkeypatch, {step})
        with pytest.raises(StoppedError, match=f"stopped by SIGTERM after step {step};"):
            train_cell(cell, run)
    train_cell(cell, run)
    assert_same(whole(cell), run)
    figures.add("R1", cells=1)
