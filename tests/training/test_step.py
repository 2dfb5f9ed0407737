"""Batches at the same time give the gradient of batches one by one, and that is autograd's own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from regard.config.load import load_recipe
from regard.config.training import TrainingConfig
from regard.nn.dropout import DropoutRng
from regard.tasks.catalogue import TASKS
from regard.training.step import BatchLoss, forward_backward
from regard.training.trainer import Trainer

ROWS = ["data.train.rows=60", "data.dev.rows=6", "text.vocabulary_size=400", "model.dropout=0.3"]
RECIPES = {
    "demo": ["data.train.max_words=5", "data.dev.max_words=5", "model.encoder.hidden_size=8"],
    "transformer-small": [
        "data={source: ko, target: en, train: {kind: builtin, world: ko-en, rows: 60, max_words: 5}}",
        "data.dev={kind: builtin, world: ko-en, rows: 6, max_words: 5}",
        "model.width=16",
        "model.feed_forward=16",
        "model.layer_drop=0.3",
    ],
    "bilstm-max": ["model.encoder.hidden_size=8"],
}
BATCHES = [[0, 1, 2], [3, 4], [5, 6, 7, 8], [9], [10, 11]]


@pytest.fixture(params=list(RECIPES))
def task(request: pytest.FixtureRequest, tmp_path: Path) -> Trainer:
    recipe = load_recipe(request.param, [*RECIPES[request.param], *ROWS])
    return TASKS[recipe.task].trainer(recipe, tmp_path, torch.device("cpu"), quiet=True)


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def found(
    task: Trainer, threads: int, config: TrainingConfig | None = None
) -> tuple[dict[str, Tensor | None], Any]:
    torch.set_num_threads(threads)
    task.model.zero_grad(set_to_none=True)
    done = forward_backward(task, config or task.recipe.training, BATCHES, 4)
    return {name: parameter.grad for name, parameter in task.model.named_parameters()}, done


def assert_same(ours: dict[str, Tensor | None], theirs: dict[str, Tensor | None]) -> None:
    for name, gradient in ours.items():
        wanted = theirs[name]
        assert (gradient is None) == (wanted is None), name
        if gradient is not None:
            torch.testing.assert_close(gradient, wanted, rtol=1e-5, atol=1e-7, msg=name)


@pytest.mark.parametrize("clip_norm", [1e-3, 1e3])
def test_it_is_autograds_own(task: Trainer, clip_norm: float) -> None:
    """Clipped, and left as it is."""
    config, count = task.recipe.training.model_copy(update={"clip_norm": clip_norm}), 0
    ours, done = found(task, threads=1, config=config)
    task.model.zero_grad(set_to_none=True)
    for part, rows in enumerate(BATCHES):
        batch = task.loss(rows, DropoutRng(task.model, seed=config.seed, step=4, part=part))
        torch.autograd.backward(batch.loss)
        count += batch.count
    parameters = list(task.model.parameters())
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.grad.div_(count)
    norm = torch.nn.utils.clip_grad_norm_(parameters, config.clip_norm)
    assert 1e-2 < norm < 1e2
    assert done.count == count
    assert done.gradient_norm == pytest.approx(float(norm), rel=1e-5)
    assert_same(ours, {name: parameter.grad for name, parameter in task.model.named_parameters()})


def test_batches_at_the_same_time(task: Trainer) -> None:
    (one, alone), (two, together) = (found(task, threads) for threads in (1, 2))
    assert_same(two, one)
    assert together.loss == pytest.approx(alone.loss, rel=1e-6)
    again, _ = found(task, threads=2)
    for name, gradient in two.items():
        assert gradient is None or torch.equal(gradient, again[name]), name  # type: ignore[arg-type]


def test_parameters_do_not_share_a_gradient(task: Trainer) -> None:
    ours, _ = found(task, threads=1)
    places = [gradient.data_ptr() for gradient in ours.values() if gradient is not None]
    assert len(set(places)) == len(places)


def test_too_little_memory_for_two_at_a_time(
    task: Trainer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted, _ = found(task, threads=1)
    real, tried = type(task).loss, []

    def small(self: Trainer, rows: Any, rng: DropoutRng | None) -> BatchLoss:
        tried.append(rows)
        if len(tried) == 2:
            raise MemoryError
        return real(self, rows, rng)

    monkeypatch.setattr(type(task), "loss", small)
    ours, _ = found(task, threads=2)
    assert_same(ours, wanted)
    assert "not enough memory for 5 batches at a time: one by one" in capsys.readouterr().err
