"""One training loop; the task gives batches, a loss, a validation and what to save."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from torch import Tensor

from regard.config.training import AverageConfig, TrainingConfig
from regard.errors import DivergedError, StoppedError
from regard.nn.dropout import DropoutRng
from regard.progress import counted, say
from regard.training.log import RunLog
from regard.training.memory import memory_bytes
from regard.training.optimizer import learning_rate_share, make_optimizer
from regard.training.progress import Meter, training_progress
from regard.training.signals import Interrupted, StopSignal, listening
from regard.training.state import (
    MovingAverage,
    RunProgress,
    RunSummary,
    TrainerState,
    load_trainer_state,
    swapped_in,
    trainer_state,
)
from regard.training.step import (
    StepResult,
    compile_blocks,
    first_bad_module,
    forward_backward,
    is_finite,
    warn_of_slow_products,
)

if TYPE_CHECKING:
    from regard.training.trainer import Trainer

SKIPPED_AT_END = 2
"""So many steps in a row that were left out as the last of a run are no matter of a bad row or two: training
has diverged. One alone may be."""


def train_loop(
    task: "Trainer",
    config: TrainingConfig,
    log: RunLog,
    *,
    state: TrainerState | None = None,
    quiet: bool = False,
) -> RunSummary:
    """Train, validate, keep the best; from the beginning, or from a state.

    A signal ends it after its step with a `StoppedError`, and the checkpoint to resume from is written.
    """
    with listening() as stop:
        return _Run(task, config, log, stop, quiet=quiet).go(state)


class _Run:
    def __init__(
        self, task: "Trainer", config: TrainingConfig, log: RunLog, stop: StopSignal, *, quiet: bool
    ) -> None:
        self.task = task
        self.config = config
        self.log = log
        self.stop = stop
        self.optimizer = make_optimizer(task.model, config.optimizer)
        if config.compile:
            compile_blocks(task.model)
        warn_of_slow_products(config, task.model, quiet=quiet)
        self.average = None if config.ema is None else MovingAverage(task.model, config.ema)
        # Every epoch has its own batches, and so its own number of them; the schedule must know their sum.
        self.steps_of_epoch = [self._steps(task.plan(epoch)) for epoch in range(config.epochs)]
        self.total = sum(self.steps_of_epoch)
        if config.minutes is None and 0 < self.total <= config.schedule.warmup_steps:
            say(
                f"training.schedule.warmup_steps: {config.schedule.warmup_steps:,} are no fewer than the "
                f"{counted(self.total, 'step')} of this run: the learning rate does nothing but rise",
                quiet=quiet,
            )
        self.progress = training_progress(quiet=quiet)
        self.begun = self.saved = time.monotonic()
        self.now = RunProgress()

    def _steps(self, batches: Sequence[Sequence[int]]) -> int:
        """Steps of the optimizer in an epoch; the last may have fewer batches."""
        return math.ceil(len(batches) / self.config.accumulate)

    def go(self, state: TrainerState | None) -> RunSummary:
        if state is not None:
            self.now = state.progress
            load_trainer_state(self.optimizer, self.task.model, self.average, state.tensors)
        self.begun -= self.now.seconds
        with self.progress:
            for epoch in range(self.now.epoch, self.config.epochs):
                if self.now.stopped_early or self._run_epoch(epoch):
                    break
            now, epochs = self.now, self._epochs_done()
            self._check_end()
            if now.best is None:
                raise AssertionError("every epoch, and every limit of time, ends with a validation")
            summary = RunSummary(now.step, epochs, self.seconds, now.best, now.best_step, now.stopped_early)
            return self._average(summary, self.config.average) if self.config.average else summary

    def _check_end(self) -> None:
        """Refuse to call a run finished that has diverged, though its last steps were left out."""
        now = self.now
        if now.last_is_finite and now.left_out_in_a_row < SKIPPED_AT_END:
            return
        what = (
            f"the last {counted(now.left_out_in_a_row, 'step')} had a loss or gradient of NaN or infinity"
            if now.last_is_finite
            else f"the last validation gave a loss or {self.config.best_by} of NaN or infinity"
        )
        kept = (
            "no validation gave a finite score"
            if now.best is None
            else f"the best model is of step {now.best_step:,}"
        )
        raise DivergedError(
            f"the run has diverged: {what}; {kept}; try a smaller training.optimizer.learning_rate in a new "
            f"run folder"
        )

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    @property
    def _spent(self) -> float:
        """The share of `training.minutes` that is over; 0 without a limit."""
        minutes = self.config.minutes
        return 0.0 if minutes is None else self.now.training_seconds / (60 * minutes)

    def _epochs_done(self) -> float:
        """Epochs, as a number with a fraction."""
        if self.now.epoch == self.config.epochs:
            return float(self.now.epoch)
        return self.now.epoch + self.now.step_of_epoch / self.steps_of_epoch[self.now.epoch]

    def _run_epoch(self, epoch: int) -> bool:
        """True if the run should stop early."""
        batches = self.task.plan(epoch)
        steps = self.steps_of_epoch[epoch]
        parts = min(self.config.validations_per_epoch, steps)
        validate_after = {round(steps * (part + 1) / parts) for part in range(parts)}
        meter = Meter()
        while True:
            done = self.now.step_of_epoch
            is_over = self._spent >= 1.0
            if (is_over or done in validate_after) and not self.now.validated:
                meter.pause()
                if self._validate():
                    return True
                meter.resume()
            if is_over:
                return True
            if done == steps:
                break
            first = done * self.config.accumulate
            begun = time.monotonic()
            facts = self._optimize(batches[first : first + self.config.accumulate], meter)
            spent = self.now.training_seconds + time.monotonic() - begun
            self.now = replace(self.now, step=self.now.step + 1, step_of_epoch=done + 1, validated=False)
            self.now = replace(self.now, training_seconds=spent)
            epochs = self._epochs_done()
            elapsed = round(self.seconds, 2)
            self.log.write("step", step=self.now.step, epoch=round(epochs, 4), elapsed=elapsed, **facts)
            share = max(self._spent, self.now.step / self.total)
            self.progress.step(self.now.step, share=share, epoch=epochs, loss=facts["loss"], rate=meter.rate)
            if self.stop.signal is not None:
                self._stop()
            every = self.config.keep.every
            if every is not None and self.now.step % every == 0 and done + 1 not in validate_after:
                self._save(best=False)
            if time.monotonic() - self.saved > 60 * self.config.save_minutes:
                self._save(best=False)
        self.now = replace(self.now, epoch=epoch + 1, step_of_epoch=0, validated=True)
        return False

    def _optimize(self, batches: Sequence[Sequence[int]], meter: Meter) -> dict[str, float]:
        step = self.now.step + 1
        share = learning_rate_share(step, self.total, self.config.schedule, spent=min(1.0, self._spent))
        rate = self.config.optimizer.learning_rate * share
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group["share"]
        done = forward_backward(self.task, self.config, batches, step)
        loss = done.loss / done.count
        if math.isfinite(loss) and math.isfinite(done.gradient_norm):
            self.optimizer.step()
            self.now = replace(self.now, left_out_in_a_row=0)
            if self.average is not None:
                self.average.update(step)
        else:
            self._leave_out(batches, step, done)
        self.optimizer.zero_grad(set_to_none=True)
        meter.add(done.tokens)
        return {
            "loss": round(loss, 5),
            "nll": round(-done.log_likelihood / done.count, 5),
            "learning_rate": rate,
            "gradient_norm": round(done.gradient_norm, 5),
            "tokens": done.tokens,
            "padding": round(done.padding, 4),
            "memory_mb": round(memory_bytes() / 1e6),
            "tokens_per_second": round(meter.rate, 1),
        }

    def _leave_out(self, batches: Sequence[Sequence[int]], step: int, done: StepResult) -> None:
        """A step without a number: stop, or go on without it; the weights have not seen it."""
        rows = [row for batch in batches for row in batch]
        where = first_bad_module(
            self.task.model,
            lambda: [
                self.task.loss(
                    batch, DropoutRng(self.task.model, seed=self.config.seed, step=step, part=part)
                )
                for part, batch in enumerate(batches)
            ],
        )
        what = (
            f"step {step}: the loss is {done.loss / done.count}, the gradient's norm {done.gradient_norm}, "
            f"first in {where}, in the batch of {self.task.describe(rows)}"
        )
        left_out = self.now.steps_left_out + 1
        if self.config.on_nan == "stop" or left_out > self.config.nan_limit:
            more = "" if self.config.on_nan == "stop" else f"; more than training.nan_limit = {left_out - 1}"
            raise DivergedError(f"{what}{more}; try a smaller training.optimizer.learning_rate")
        in_a_row = self.now.left_out_in_a_row + 1
        self.now = replace(self.now, steps_left_out=left_out, left_out_in_a_row=in_a_row)
        if self.config.on_nan == "rollback":
            kept = self.task.roll_back()
            self.optimizer.state.clear()
            load_trainer_state(self.optimizer, self.task.model, self.average, kept)
        self.log.write("left_out", step=step, policy=self.config.on_nan, where=where)
        self.progress.note(f"{what}; left out")

    def _validate(self) -> bool:
        """Validate; keep the model if it is the best; True if there was no gain for too long."""
        begun = time.monotonic()
        scores = self._measure(self._averaged)
        value = self._value(scores)
        better = value > self._value(self.now.best)
        without_gain = 0 if better else self.now.validations_without_gain + 1
        patience = self.config.patience
        self.now = replace(
            self.now,
            validated=True,
            best=scores if better else self.now.best,
            best_step=self.now.step if better else self.now.best_step,
            validations_without_gain=without_gain,
            stopped_early=patience is not None and without_gain >= patience,
            last_is_finite=math.isfinite(value),
        )
        epochs = self._epochs_done()
        times = {"elapsed": round(self.seconds, 2), "seconds": round(time.monotonic() - begun, 2)}
        self.log.write(
            "validation", step=self.now.step, epoch=round(epochs, 4), **times, best=better, **scores
        )
        self._save(best=better, score=value if math.isfinite(value) else None)
        mark = "  (best so far)" if better else ""
        self.progress.note(f"epoch {epochs:.1f}  step {self.now.step}  dev: {_shown(scores)}{mark}")
        return self.now.stopped_early

    @property
    def _averaged(self) -> Mapping[str, Tensor] | None:
        """The weights to validate and to store, where they are not the model's own."""
        return None if self.average is None else self.average.weights

    def _measure(self, weights: Mapping[str, Tensor] | None, *, saved: bool = False) -> dict[str, float]:
        """The dev scores of these weights, or of the model's own; a signal ends it at once.

        saved: there is nothing to keep that is not kept already
        """
        try:
            with swapped_in(self.task.model, weights), self.stop.droppable():
                scores = self.task.validate()
                return scores | self.task.attention_scores() if self.config.log_attention else scores
        except Interrupted:
            self._stop(save=not saved)

    def _value(self, scores: Mapping[str, float] | None) -> float:
        """What makes a checkpoint the best, higher = better; −∞ where it or the loss is NaN or infinite."""
        name = self.config.best_by
        if scores is None or not (math.isfinite(scores[name]) and math.isfinite(scores["loss"])):
            return -math.inf
        return -scores[name] if name == "loss" else scores[name]

    def _average(self, summary: RunSummary, config: AverageConfig) -> RunSummary:
        """Validate the mean of some checkpoints; it is the best model if it is better than the others."""
        begun = time.monotonic()
        weights, steps = self.task.mean(config)
        scores = self._measure(weights, saved=True)
        better = self._value(scores) > self._value(summary.best)
        seconds = round(time.monotonic() - begun, 2)
        self.log.write("average", of=config.of, steps=steps, best=better, seconds=seconds, **scores)
        mark = "the best" if better else "not better"
        self.progress.note(f"average of {counted(len(steps), 'checkpoint')}  dev: {_shown(scores)}  ({mark})")
        if not better:
            return summary
        with swapped_in(self.task.model, weights):
            self.task.save_mean(steps, scores)
        return replace(summary, best=scores, averaged=tuple(steps), seconds=self.seconds)

    def _save(self, *, best: bool, score: float | None = None) -> None:
        if not is_finite(list(self.task.model.parameters())):
            raise DivergedError(
                f"step {self.now.step}: a weight is no number; the checkpoint before it is kept; "
                f"try a smaller training.optimizer.learning_rate"
            )
        size, sha256 = self.log.sync()
        self.now = replace(self.now, seconds=round(self.seconds, 1), log_bytes=size, log_sha256=sha256)
        tensors = trainer_state(self.optimizer, self.task.model, self.average)
        with swapped_in(self.task.model, self._averaged):
            self.task.save(TrainerState(self.now, tensors), best=best, score=score)
        self.saved = time.monotonic()

    def _stop(self, *, save: bool = True) -> NoReturn:
        """Keep everything, and say how to resume."""
        if save:
            self._save(best=False)
        raise StoppedError(
            f"stopped by {self.stop.name} after step {self.now.step:,}; everything is kept, "
            f"and the same command resumes from there",
            self.stop.exit_code,
        )


def _shown(scores: Mapping[str, float]) -> str:
    return "  ".join(f"{name} {value:.3f}" for name, value in scores.items())
