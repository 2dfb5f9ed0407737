"""A loss, gradient, weight or input that is no number never reaches the weights or a checkpoint."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from itertools import count, product
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch
from tests.examples import cells
from tests.torture.figures import Figures
from torch import nn

import regard
from regard.errors import DivergedError
from regard.store.pointer import read_pointers
from regard.tasks.translation.trainer import TranslationTrainer
from regard.training.log import end_of_run, read_events
from regard.training.step import BatchLoss, first_bad_module

TINY = [
    "data.train.rows=100", "data.train.max_words=3", "data.dev.rows=6", "data.dev.max_words=3",
    "text.vocabulary_size=400", "model.embedding_size=8", "model.encoder.hidden_size=8",
    "model.attention.hidden_size=8", "model.decoder.hidden_size=8", "training.batch_tokens=96",
    "training.epochs=1", "training.best_by=loss", "training.accumulate=3", "training.validations_per_epoch=4",
]  # fmt: skip
NAN = float("nan")


def poisoned(how: str, call: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spoil one call of the loss: its value, its gradient, a weight beforehand, or its input."""
    real = TranslationTrainer.loss
    calls: list[int] = []

    def loss(self: TranslationTrainer, rows: Any, rng: Any) -> BatchLoss:
        calls.append(1)
        spoil = len(calls) == call
        if spoil and how == "weight":
            with torch.no_grad():
                self.model.bridge.weight[0, 0] = NAN  # type: ignore[union-attr,operator]
        if spoil and how == "input":
            with torch.no_grad():
                kept = self.model.source_embedding.weight.clone()  # type: ignore[union-attr,operator]
                self.model.source_embedding.weight.fill_(float("inf"))  # type: ignore[union-attr,operator]
        batch = real(self, rows, rng)
        if spoil and how == "input":
            with torch.no_grad():
                self.model.source_embedding.weight.copy_(kept)  # type: ignore[union-attr,operator]
        if spoil and how == "loss":
            return BatchLoss(batch.loss * NAN, batch.log_likelihood, batch.tokens, 0.0)
        if spoil and how == "gradient":
            batch.loss.register_hook(lambda gradient: gradient * NAN)  # type: ignore[no-untyped-call]
        return batch

    monkeypatch.setattr(TranslationTrainer, "loss", loss)


def train(out: Path, *settings: str) -> None:
    regard.train("demo", out=out, set_=[*TINY, *settings], quiet=True)


def every_checkpoint_is_finite(run: Path) -> bool:
    """In every one that is there, and there is one."""
    folders = sorted((run / "checkpoints").glob("step-*"))
    tensors = [
        tensor
        for folder in folders
        for name in ("model", "optimizer")
        for tensor in safetensors.torch.load((folder / f"{name}.safetensors").read_bytes()).values()
    ]
    return bool(folders) and all(bool(tensor.isfinite().all()) for tensor in tensors)


POLICIES = {"stop": 13, "skip": 14, "rollback": 15}
"""What is done about it; and the call that is spoilt, the first, the middle or the last of the fifth step."""
SPOILT = ["loss", "gradient", "weight", "input"]


@pytest.mark.torture
@cells(
    ("policy", "call", "how"),
    product(POLICIES, POLICIES.values(), SPOILT),
    quick=[(policy, call, how) for (policy, call), how in product(POLICIES.items(), SPOILT)],
)
def test_it_never_reaches_the_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, call: int, policy: str, figures: Figures
) -> None:
    poisoned(how, call, monkeypatch)
    settings = [] if policy == "stop" else [f"training.on_nan={policy}"]
    # Leaving the step out does not mend a weight: the run ends before such a one is saved.
    ends = policy == "stop" or (policy, how) == ("skip", "weight")
    if ends:
        told = r"step 5: .*first in .*in the batch of builtin:ko-en:train:\d+"
        at_the_save = "step 5: a weight is no number; the checkpoint before it is kept"
        with pytest.raises(DivergedError, match=told if policy == "stop" else at_the_save):
            train(tmp_path / "r", *settings)
    else:
        train(tmp_path / "r", *settings)
        events = [json.loads(line) for line in (tmp_path / "r" / "log.jsonl").read_text().splitlines()]
        (found,) = [event for event in events if event["event"] == "left_out"]
        assert (found["step"], found["policy"]) == (5, policy)
        assert events[-1]["event"] == "end"
    assert every_checkpoint_is_finite(tmp_path / "r")
    figures.add("R9", cells=1)


def test_too_many_stop_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def always(self: TranslationTrainer, rows: Any, rng: Any) -> BatchLoss:
        batch = real(self, rows, rng)
        return BatchLoss(batch.loss * NAN, batch.log_likelihood, batch.tokens, 0.0)

    real = TranslationTrainer.loss
    monkeypatch.setattr(TranslationTrainer, "loss", always)
    with pytest.raises(DivergedError, match=r"step 3: .*more than training.nan_limit = 2"):
        train(tmp_path / "r", "training.on_nan=skip", "training.nan_limit=2")


def measured(values: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the validations give these losses."""
    real, left = TranslationTrainer.validate, list(values)

    def validate(self: TranslationTrainer) -> dict[str, float]:
        return {**real(self), "loss": left.pop(0)}

    monkeypatch.setattr(TranslationTrainer, "validate", validate)


def test_a_score_that_is_no_number_is_never_the_best(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured([NAN, 5.0, float("inf"), 6.0], monkeypatch)
    train(tmp_path / "r", "training.keep.best=4")
    events = list(read_events(tmp_path / "r"))
    validations = [event for event in events if event["event"] == "validation"]
    assert [(event["loss"], event["best"]) for event in validations] == [
        (None, False), (5.0, True), (None, False), (6.0, False),
    ]  # fmt: skip
    assert events[-1]["best"]["loss"] == 5.0
    assert [entry.score for entry in read_pointers(tmp_path / "r").top(4)] == [-5.0, -6.0]


@pytest.mark.parametrize(
    ("losses", "told"),
    [
        ([NAN] * 4, "the last validation gave a loss .* no validation gave a finite score"),
        ([5.0, 6.0, 7.0, NAN], r"the last validation gave a loss .* the best model is of step \d"),
    ],
)
def test_a_run_that_ends_without_a_score_has_diverged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, losses: list[float], told: str
) -> None:
    with monkeypatch.context() as patch:
        measured(losses, patch)
        with pytest.raises(DivergedError, match=told):
            train(tmp_path / "r", "training.on_nan=skip")
    assert end_of_run(tmp_path / "r") is None
    with pytest.raises(DivergedError, match=told):  # going on changes nothing
        train(tmp_path / "r", "training.on_nan=skip")


@pytest.mark.parametrize(("left_out", "diverges"), [(1, False), (2, True)])
def test_a_run_whose_last_steps_were_left_out_has_diverged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left_out: int, diverges: bool
) -> None:
    train(tmp_path / "whole", "training.accumulate=1")
    total = sum(event["event"] == "step" for event in read_events(tmp_path / "whole"))
    real, calls = TranslationTrainer.loss, count(1)

    def loss(self: TranslationTrainer, rows: Any, rng: Any) -> BatchLoss:
        batch = real(self, rows, rng)
        # Each step that is bad is run again, to see where it went wrong.
        is_bad = next(calls) > total - left_out
        return BatchLoss(batch.loss * NAN if is_bad else batch.loss, batch.log_likelihood, batch.tokens, 0.0)

    monkeypatch.setattr(TranslationTrainer, "loss", loss)
    told = f"the run has diverged: the last {left_out} steps had a loss or gradient of NaN"
    with pytest.raises(DivergedError, match=told) if diverges else nullcontext():
        train(tmp_path / "r", "training.accumulate=1", "training.on_nan=skip")
    assert (end_of_run(tmp_path / "r") is None) == diverges


def test_a_spoiled_weight_is_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = torch.optim.Adam.step
    steps: list[int] = []

    def step(self: torch.optim.Adam, *arguments: Any) -> Any:
        done = real(self, *arguments)
        steps.append(1)
        if len(steps) == 6:
            with torch.no_grad():
                self.param_groups[0]["params"][0][0, 0] = NAN
        return done

    monkeypatch.setattr(torch.optim.Adam, "step", step)
    with pytest.raises(
        DivergedError, match=r"step \d+: .*(a weight is no number|the weight source_embedding)"
    ):
        train(tmp_path / "r", "training.save_minutes=0.0000001")
    assert every_checkpoint_is_finite(tmp_path / "r")


def net(spoil: Callable[[nn.Sequential], None]) -> tuple[nn.Sequential, Callable[[], object]]:
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
    spoil(model)
    return model, lambda: model(torch.ones(1, 2))


def test_the_first_bad_module_is_named() -> None:
    def weight(model: nn.Sequential) -> None:
        with torch.no_grad():
            model[2].weight[0, 0] = NAN  # type: ignore[operator]

    assert first_bad_module(*net(weight)) == "the weight 2.weight"

    def huge(model: nn.Sequential) -> None:
        with torch.no_grad():
            model[0].weight.fill_(3e38)  # type: ignore[operator]

    assert first_bad_module(*net(huge)) == "the output of 0"

    def gradient(model: nn.Sequential) -> None:
        model[2].bias.grad = torch.tensor([NAN])

    assert first_bad_module(*net(gradient)) == "the gradient of 2.bias"
    assert first_bad_module(*net(lambda _: None)) == "the loss itself"
