"""What a training run will take, from a few real steps of it."""

import math
import statistics
import time
from collections import Counter
from dataclasses import dataclass

from regard.config.training import TrainingConfig
from regard.training.memory import memory_bytes
from regard.training.optimizer import make_optimizer
from regard.training.step import forward_backward
from regard.training.trainer import Trainer

_WARM_UP = 2
_STEPS = 12
_SECONDS = 20.0


@dataclass(frozen=True)
class Estimate:
    """Sizes, memory and time of a run."""

    parameters: dict[str, int]
    """Of each part of the model."""
    weight_bytes: int
    training_bytes: int
    """Weights, gradients and the optimizer's state."""
    peak_bytes: int
    """The most memory the whole program had."""
    steps_per_epoch: int
    step_seconds: float
    step_spread: float
    """Half the distance between the quartiles of the timed steps, in seconds."""
    tokens_per_second: float
    epochs: int
    minutes: float | None
    """After so many of training steps the run ends, if the epochs are not over before."""

    @property
    def epoch_seconds(self) -> float:
        """Training, without validation."""
        return self.steps_per_epoch * self.step_seconds


def estimate(task: Trainer, config: TrainingConfig) -> Estimate:
    """Train a few steps and time them. The model is not of use afterwards.

    Batches of an epoch cost about the same in time and memory, for they share a budget of tokens; those that
    are measured are spread over the epoch.
    """
    plan = task.plan(0)
    optimizer = make_optimizer(task.model, config.optimizer)
    spread = [round(place * (len(plan) - 1) / (_STEPS - 1)) for place in range(_STEPS)]
    batches = [plan[place] for place in dict.fromkeys(spread)]
    times: list[float] = []
    tokens = 0
    begun = time.monotonic()
    for step, rows in enumerate([*batches[:1] * _WARM_UP, *batches], start=1):
        started = time.monotonic()
        done = forward_backward(task, config, [rows], step)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if step > _WARM_UP:
            times.append(time.monotonic() - started)
            tokens += done.tokens
        if len(times) >= 2 and time.monotonic() - begun > _SECONDS:
            break
    weights = sum(p.numel() * p.element_size() for p in task.model.parameters())
    state = sum(
        value.numel() * value.element_size()
        for values in optimizer.state.values()
        for value in values.values()
        if hasattr(value, "numel")
    )
    return Estimate(
        parameters=_by_part(task),
        weight_bytes=weights,
        training_bytes=2 * weights + state,
        peak_bytes=memory_bytes(),
        steps_per_epoch=math.ceil(len(plan) / config.accumulate),
        step_seconds=config.accumulate * statistics.median(times),
        step_spread=config.accumulate * _half_range(times),
        tokens_per_second=tokens / sum(times),
        epochs=config.epochs,
        minutes=config.minutes,
    )


def _by_part(task: Trainer) -> dict[str, int]:
    """Parameters by the first name in their path; a tensor that two parts share counts once."""
    counts: Counter[str] = Counter()
    for name, parameter in task.model.named_parameters():
        counts[name.split(".")[0]] += parameter.numel()
    return dict(counts)


def _half_range(times: list[float]) -> float:
    if len(times) < 4:
        return (max(times) - min(times)) / 2
    low, _, high = statistics.quantiles(times, n=4)
    return (high - low) / 2
