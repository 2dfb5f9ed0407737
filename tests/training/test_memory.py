"""A batch that does not fit is cut in two; its gradient is the same."""

from pathlib import Path
from typing import Any

import pytest
import torch

from regard.config.load import load_recipe
from regard.errors import DataError
from regard.tasks.translation.trainer import TranslationTrainer
from regard.training.step import BatchLoss, forward_backward

TINY = [
    "data.train.rows=60", "data.train.max_words=3", "data.dev.rows=6", "data.dev.max_words=3",
    "text.vocabulary_size=400", "model.embedding_size=8", "model.encoder.hidden_size=8",
    "model.attention.hidden_size=8", "model.decoder.hidden_size=8", "model.dropout=0",
]  # fmt: skip
ERRORS = [
    RuntimeError("[enforce fail at alloc_cpu.cpp:127] DefaultCPUAllocator: can't allocate memory: 9 bytes"),
    torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB"),
    MemoryError(),
]


@pytest.fixture
def task(tmp_path: Path) -> TranslationTrainer:
    return TranslationTrainer(load_recipe("demo", TINY), tmp_path, torch.device("cpu"), quiet=True)


def gradients(task: TranslationTrainer, batches: list[list[int]]) -> dict[str, torch.Tensor]:
    task.model.zero_grad(set_to_none=True)
    forward_backward(task, task.recipe.training, batches, 1)
    return {name: p.grad.clone() for name, p in task.model.named_parameters() if p.grad is not None}


@pytest.mark.parametrize("error", ERRORS, ids=["cpu", "cuda", "python"])
def test_the_batch_is_cut_and_the_gradient_stays(
    task: TranslationTrainer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
) -> None:
    whole = gradients(task, [[0, 1, 2, 3, 4], [5, 6]])
    real = TranslationTrainer.loss

    def small(self: TranslationTrainer, rows: Any, rng: Any) -> BatchLoss:
        if len(rows) > 2:
            raise error
        return real(self, rows, rng)

    monkeypatch.setattr(TranslationTrainer, "loss", small)
    cut = gradients(task, [[0, 1, 2, 3, 4], [5, 6]])
    assert whole.keys() == cut.keys()
    for name in whole:
        torch.testing.assert_close(cut[name], whole[name], rtol=1e-4, atol=1e-7)
    assert "not enough memory for a batch of 5 rows (builtin:ko-en:train:1, " in capsys.readouterr().err


def test_one_sentence_that_does_not_fit_is_named(
    task: TranslationTrainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(self: TranslationTrainer, rows: Any, rng: Any) -> BatchLoss:
        raise MemoryError

    monkeypatch.setattr(TranslationTrainer, "loss", none)
    with pytest.raises(DataError, match=r"builtin:ko-en:train:1: there is not enough memory"):
        gradients(task, [[0, 1]])


def test_other_errors_are_not_taken_for_it(task: TranslationTrainer, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: TranslationTrainer, rows: Any, rng: Any) -> BatchLoss:
        raise RuntimeError("shapes do not match")

    monkeypatch.setattr(TranslationTrainer, "loss", broken)
    with pytest.raises(RuntimeError, match="shapes do not match"):
        gradients(task, [[0, 1]])
