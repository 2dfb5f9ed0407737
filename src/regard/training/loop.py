"""One training loop; the task gives batches, a loss, a validation and what to save."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from regard.config.training import OptimizerConfig, TrainingConfig
from regard.errors import DivergedError
from regard.nn.noise import Noise
from regard.training.log import RunLog
from regard.training.progress import training_progress
from regard.training.schedule import learning_rate_share


@dataclass(frozen=True, slots=True)
class BatchLoss:
    """The loss of one batch, summed over its target tokens."""

    loss: Tensor
    """What is minimised, with smoothing; a scalar with a gradient."""
    log_likelihood: Tensor
    """Of the right tokens, without smoothing; a scalar."""
    tokens: int


class Trainable(Protocol):
    """What a task gives to the loop."""

    model: nn.Module

    def plan(self, epoch: int) -> Sequence[Sequence[int]]:
        """The batches of an epoch as rows of the corpus; a function of the recipe's seed and the epoch."""
        ...

    def loss(self, rows: Sequence[int], noise: Noise) -> BatchLoss:
        """The loss of one batch."""
        ...

    def validate(self) -> dict[str, float]:
        """Scores on the dev set: `loss` (a token, without smoothing) and the task's own, higher = better."""
        ...

    def save(self, step: int, summary: dict[str, Any]) -> None:
        """Keep the model as it is now as the best one."""
        ...

    def describe(self, rows: Sequence[int]) -> str:
        """Name the rows of a batch for an error."""
        ...


@dataclass(frozen=True)
class RunSummary:
    """How a run ended."""

    steps: int
    epochs: float
    seconds: float
    best: dict[str, float]
    """Dev scores of the best checkpoint."""
    best_step: int
    stopped_early: bool


def fit(task: Trainable, config: TrainingConfig, log: RunLog, *, quiet: bool = False) -> RunSummary:
    """Train, validate, keep the best."""
    return _Run(task, config, log, quiet=quiet).go()


class _Run:
    def __init__(self, task: Trainable, config: TrainingConfig, log: RunLog, *, quiet: bool) -> None:
        self.task = task
        self.config = config
        self.log = log
        self.optimizer = make_optimizer(task.model, config.optimizer)
        # Every epoch has its own batches, and so its own number of them; the schedule must know their sum.
        self.steps_of_epoch = [len(task.plan(epoch)) for epoch in range(config.epochs)]
        self.total = sum(self.steps_of_epoch)
        self.progress = training_progress(self.total, quiet=quiet)
        self.begun = time.monotonic()
        self.step = 0
        self.epoch = 0.0
        self.best: dict[str, float] | None = None
        self.best_step = 0
        self.validations_without_gain = 0

    def go(self) -> RunSummary:
        stopped = False
        with self.progress:
            for epoch in range(self.config.epochs):
                if stopped := self._run_epoch(epoch):
                    break
        if self.best is None:
            raise AssertionError("every epoch ends with a validation")
        return RunSummary(self.step, self.epoch, self.seconds, self.best, self.best_step, stopped)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    def _run_epoch(self, epoch: int) -> bool:
        """True if the run should stop early."""
        batches = self.task.plan(epoch)
        parts = min(self.config.validations_per_epoch, len(batches))
        validate_after = {round(len(batches) * (part + 1) / parts) for part in range(parts)}
        meter = _Meter()
        for done, rows in enumerate(batches, start=1):
            self.step += 1
            self.epoch = epoch + done / len(batches)
            facts = self._optimize(rows, meter)
            self.log.write("step", step=self.step, epoch=round(self.epoch, 4), **facts)
            self.progress.step(self.step, epoch=self.epoch, loss=facts["loss"], rate=meter.rate)
            if done in validate_after:
                meter.pause()
                if self._validate():
                    return True
                meter.go_on()
        return False

    def _optimize(self, rows: Sequence[int], meter: "_Meter") -> dict[str, float]:
        share = learning_rate_share(self.step, self.total, self.config.schedule)
        rate = self.config.optimizer.learning_rate * share
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        batch, length = forward_and_back(self.task, self.config, rows, self.step)
        loss = float(batch.loss.detach()) / batch.tokens
        if not (math.isfinite(loss) and math.isfinite(length)):
            raise DivergedError(
                f"step {self.step}: the loss is {loss}, the gradient's norm {length}, in the batch of "
                f"{self.task.describe(rows)}; try a smaller training.optimizer.learning_rate"
            )
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        meter.add(batch.tokens)
        return {
            "loss": round(loss, 5),
            "nll": round(-float(batch.log_likelihood) / batch.tokens, 5),
            "learning_rate": rate,
            "gradient_norm": round(length, 5),
            "tokens": batch.tokens,
            "tokens_per_second": round(meter.rate, 1),
        }

    def _validate(self) -> bool:
        """Measure; keep the model if it is the best; True if there was no gain for too long."""
        begun = time.monotonic()
        scores = self.task.validate()
        better = self.best is None or self._is_better(scores, self.best)
        if better:
            self.best, self.best_step, self.validations_without_gain = scores, self.step, 0
            summary = {
                "step": self.step,
                "epoch": round(self.epoch, 4),
                "seconds": round(self.seconds, 1),
                "dev": scores,
            }
            self.task.save(self.step, summary)
        else:
            self.validations_without_gain += 1
        seconds = round(time.monotonic() - begun, 2)
        self.log.write(
            "validation", step=self.step, epoch=round(self.epoch, 4), best=better, seconds=seconds, **scores
        )
        shown = "  ".join(f"{name} {value:.3f}" for name, value in scores.items())
        mark = "  (best so far)" if better else ""
        self.progress.note(f"epoch {self.epoch:.1f}  step {self.step}  dev: {shown}{mark}")
        patience = self.config.patience
        return patience is not None and self.validations_without_gain >= patience

    def _is_better(self, scores: dict[str, float], best: dict[str, float]) -> bool:
        name = self.config.best_by
        return scores[name] < best[name] if name == "loss" else scores[name] > best[name]


def forward_and_back(
    task: Trainable, config: TrainingConfig, rows: Sequence[int], step: int
) -> tuple[BatchLoss, float]:
    """The loss of a batch; its gradient, clipped, is left on the parameters. Its norm before clipping."""
    batch = task.loss(rows, Noise(task.model, seed=config.seed, step=step))
    torch.autograd.backward(batch.loss / batch.tokens)
    norm = nn.utils.clip_grad_norm_(task.model.parameters(), config.clip_norm)
    return batch, float(norm)


class _Meter:
    """Target tokens a second, validation not counted."""

    def __init__(self) -> None:
        self._tokens = 0
        self._seconds = 0.0
        self._since = time.monotonic()

    def add(self, tokens: int) -> None:
        self._tokens += tokens

    def pause(self) -> None:
        self._seconds += time.monotonic() - self._since

    def go_on(self) -> None:
        self._since = time.monotonic()

    @property
    def rate(self) -> float:
        return self._tokens / max(1e-9, self._seconds + time.monotonic() - self._since)


def make_optimizer(model: nn.Module, config: OptimizerConfig) -> torch.optim.Optimizer:
    """Adam or AdamW, in torch's fused form: one pass over the weights a step."""
    kind = torch.optim.AdamW if config.kind == "adamw" else torch.optim.Adam
    return kind(
        model.parameters(),
        lr=config.learning_rate,
        betas=config.betas,
        eps=config.epsilon,
        weight_decay=config.weight_decay,
        fused=True,
    )
