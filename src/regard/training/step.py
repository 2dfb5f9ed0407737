"""One step of training: the gradient of the mean loss of some batches."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import torch
from torch import Tensor, nn

from regard.config.training import TrainingConfig
from regard.nn.noise import Noise
from regard.nn.side_by_side import side_by_side
from regard.progress import counted, say
from regard.training.memory import halves, is_out_of_memory
from regard.training.precision import precision


@dataclass(frozen=True, slots=True)
class BatchLoss:
    """The loss of one batch, summed over what is predicted: its target tokens, or its labels."""

    loss: Tensor
    """What is minimised, with smoothing; a scalar with a gradient."""
    log_likelihood: Tensor
    """Of what is right, without smoothing; a scalar."""
    tokens: int
    """How much was read or written, for the speed."""
    padding: float
    """The share of the batch, on all sides, that is padding."""
    labels: int | None = None
    """What the loss is a sum over, where that is not the tokens."""

    @property
    def count(self) -> int:
        """What the loss is a sum over."""
        return self.tokens if self.labels is None else self.labels


class Learner(Protocol):
    """What a step of training needs."""

    model: nn.Module

    def loss(self, rows: Sequence[int], noise: Noise) -> BatchLoss:
        """The loss of one batch."""
        ...

    def describe(self, rows: Sequence[int]) -> str:
        """Name the rows of a batch for an error."""
        ...


@dataclass(frozen=True)
class Done:
    """What a step of forward and back gave, over all its batches."""

    loss: float
    """Summed over what is predicted, with smoothing."""
    log_likelihood: float
    count: int
    """What is predicted: target tokens, or labels."""
    tokens: int
    padding: float
    gradient_norm: float
    """Before clipping."""


def forward_and_back(
    task: Learner, config: TrainingConfig, batches: Sequence[Sequence[int]], step: int
) -> Done:
    """The loss of some batches; the gradient of its mean, clipped, is left on the parameters.

    On a CPU several batches are worked on at the same time, a thread for each: two threads that share one
    wait for each other at every operation. Their gradients are added in the order of the batches.

    How many tokens or labels there are is known when the last batch is done, so the sum is divided then.
    Where the memory is too small for several at a time, they come one by one; a batch that is too large even
    so is cut in two. Then the step begins again.
    """
    parts, parameters = list(batches), [each for each in task.model.parameters() if each.requires_grad]
    device = parameters[0].device
    at_once = torch.get_num_threads() if device.type == "cpu" and len(parts) > 1 else 1

    def learn(part: int) -> _Learned | RuntimeError | MemoryError:
        noise = Noise(task.model, seed=config.seed, step=step, part=part)
        try:
            with precision(config, task.model):
                batch = task.loss(parts[part], noise)
            return _Learned(batch, torch.autograd.grad(batch.loss, parameters, allow_unused=True))
        except (RuntimeError, MemoryError) as error:
            return error

    while True:
        total = _Total(parameters)
        failed = total.add_all(learn, len(parts), at_once, device)
        if failed is None:
            return total.done(config.clip_norm)
        task.model.zero_grad(set_to_none=True)
        part, error = failed
        if at_once > 1 and is_out_of_memory(error):
            say(f"not enough memory for {counted(len(parts), 'batch', 'batches')} at a time: one by one")
            at_once = 1
        else:
            parts[part : part + 1] = halves(parts[part], error, task)


@dataclass(frozen=True, slots=True)
class _Learned:
    """The loss of a batch, and its gradient."""

    batch: BatchLoss
    gradients: Sequence[Tensor | None]


class _Total:
    """What several batches gave together; their gradients are on the parameters."""

    def __init__(self, parameters: Sequence[nn.Parameter]) -> None:
        self._parameters = parameters
        self._batches: list[BatchLoss] = []

    def add_all(
        self,
        learn: Callable[[int], _Learned | RuntimeError | MemoryError],
        count: int,
        at_once: int,
        device: torch.device,
    ) -> tuple[int, RuntimeError | MemoryError] | None:
        """Work on the batches, so many at a time; the first that fails, and why."""
        for first in range(0, count, at_once):
            places = range(first, min(first + at_once, count))
            for place, learned in zip(places, side_by_side(learn, places, device), strict=True):
                if not isinstance(learned, _Learned):
                    return place, learned
                self._add(learned)
        return None

    def _add(self, learned: _Learned) -> None:
        self._batches.append(replace(learned.batch, loss=learned.batch.loss.detach()))
        taken: set[int] = set()
        for parameter, gradient in zip(self._parameters, learned.gradients, strict=True):
            if gradient is None:
                continue
            if parameter.grad is not None:
                parameter.grad += gradient
            else:  # the two biases of an LSTM are given the same tensor
                is_own = gradient.is_contiguous() and gradient.data_ptr() not in taken
                parameter.grad = gradient if is_own else gradient.clone()
                taken.add(gradient.data_ptr())

    def done(self, clip_norm: float) -> Done:
        """Divide the sum, and clip it: both in one pass, for gradients of word vectors are large."""
        count = sum(batch.count for batch in self._batches)
        gradients = [each.grad for each in self._parameters if each.grad is not None]
        norm = nn.utils.get_total_norm(gradients) / count
        share = (clip_norm / (norm + 1e-6)).clamp(max=1.0) / count  # no waiting for the norm on a GPU
        for gradient in gradients:
            gradient.mul_(share)
        return Done(
            sum(float(batch.loss) for batch in self._batches),
            sum(float(batch.log_likelihood) for batch in self._batches),
            count,
            sum(batch.tokens for batch in self._batches),
            sum(batch.padding for batch in self._batches) / len(self._batches),
            float(norm),
        )
