"""One step of training: the gradient of the mean loss of some batches, and where a NaN in it came from."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Protocol

import torch
from torch import Tensor, nn

from regard.config.training import TrainingConfig
from regard.errors import ConfigError
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.parallel import run_parallel
from regard.progress import counted, say
from regard.training.memory import halves, is_out_of_memory


@dataclass(frozen=True, slots=True)
class AuxiliaryLoss:
    """A loss that is added to that of the task."""

    loss: Tensor
    """Summed over what it is of; a scalar with a gradient."""
    weight: float
    """What it is multiplied by."""
    count: int
    """What it is a sum over."""


@dataclass(frozen=True, slots=True)
class BatchLoss:
    """The loss of one batch, summed over what is predicted: its target tokens, or its labels."""

    loss: Tensor
    """That of the task, with smoothing; a scalar with a gradient."""
    log_likelihood: Tensor
    """Of what is right, without smoothing; a scalar."""
    tokens: int
    """How many tokens, for the speed."""
    padding: float
    """The share of the batch, on all sides, that is padding."""
    labels: int | None = None
    """What the loss is a sum over, where that is not the tokens."""
    auxiliary: AuxiliaryLoss | None = None
    """What is added to it."""

    @property
    def minimised(self) -> Tensor:
        """The loss of the task, and what is added to it."""
        more = self.auxiliary
        return self.loss if more is None else self.loss + more.weight * more.loss

    @property
    def count(self) -> int:
        """What the loss is a sum over."""
        return self.tokens if self.labels is None else self.labels


class Learner(Protocol):
    """What a step of training needs."""

    model: nn.Module

    def loss(self, rows: Sequence[int], rng: DropoutRng) -> BatchLoss:
        """The loss of one batch."""
        ...

    def describe(self, rows: Sequence[int]) -> str:
        """Name the rows of a batch for an error."""
        ...


@dataclass(frozen=True)
class StepResult:
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
    auxiliary: float | None = None
    """The mean of the loss that is added, before it is weighted; None where there is none."""


def forward_backward(
    task: Learner, config: TrainingConfig, batches: Sequence[Sequence[int]], step: int
) -> StepResult:
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

    def learn(part: int) -> _BatchGradients | RuntimeError | MemoryError:
        rng = DropoutRng(task.model, seed=config.seed, step=step, part=part)
        try:
            with precision(config, task.model):
                batch = task.loss(parts[part], rng)
            found = torch.autograd.grad(batch.minimised, parameters, allow_unused=True)
            return _BatchGradients(batch, found)
        except (RuntimeError, MemoryError) as error:
            return error

    while True:
        total = _Accumulated(parameters)
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
class _BatchGradients:
    """The loss of a batch, and its gradient."""

    batch: BatchLoss
    gradients: Sequence[Tensor | None]


class _Accumulated:
    """What several batches gave together; their gradients are on the parameters."""

    def __init__(self, parameters: Sequence[nn.Parameter]) -> None:
        self._parameters = parameters
        self._batches: list[BatchLoss] = []

    def add_all(
        self,
        learn: Callable[[int], _BatchGradients | RuntimeError | MemoryError],
        count: int,
        at_once: int,
        device: torch.device,
    ) -> tuple[int, RuntimeError | MemoryError] | None:
        """Work on the batches, so many at a time; the first that fails, and why."""
        for first in range(0, count, at_once):
            places = range(first, min(first + at_once, count))
            for place, learned in zip(places, run_parallel(learn, places, device), strict=True):
                if not isinstance(learned, _BatchGradients):
                    return place, learned
                self._add(learned)
        return None

    def _add(self, learned: _BatchGradients) -> None:
        batch, more = learned.batch, learned.batch.auxiliary
        if more is not None:
            more = replace(more, loss=more.loss.detach())
        self._batches.append(replace(batch, loss=batch.loss.detach(), auxiliary=more))
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

    def done(self, clip_norm: float) -> StepResult:
        """Divide the sum, and clip it: both in one pass, for gradients of word vectors are large."""
        count = sum(batch.count for batch in self._batches)
        gradients = [each.grad for each in self._parameters if each.grad is not None]
        norm = nn.utils.get_total_norm(gradients) / count
        share = (clip_norm / (norm + 1e-6)).clamp(max=1.0) / count  # no waiting for the norm on a GPU
        for gradient in gradients:
            gradient.mul_(share)
        return StepResult(
            sum(float(batch.loss) for batch in self._batches),
            sum(float(batch.log_likelihood) for batch in self._batches),
            count,
            sum(batch.tokens for batch in self._batches),
            sum(batch.padding for batch in self._batches) / len(self._batches),
            float(norm),
            self._auxiliary(),
        )

    def _auxiliary(self) -> float | None:
        found = [batch.auxiliary for batch in self._batches if batch.auxiliary is not None]
        return sum(float(own.loss) for own in found) / sum(own.count for own in found) if found else None


def precision(config: TrainingConfig, model: nn.Module) -> AbstractContextManager[object]:
    """Inside, products are computed in the precision of the recipe."""
    if config.precision == "float32":
        return nullcontext()
    return torch.autocast(next(model.parameters()).device.type, torch.bfloat16)


def cpu_has_bfloat16() -> bool:
    """Whether the CPU multiplies in bfloat16 by itself: then products take half the time, else more."""
    return any(
        getattr(torch.cpu, name, bool)() for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    )


def warn_of_slow_products(config: TrainingConfig, model: nn.Module, *, quiet: bool = False) -> None:
    """Tell where bfloat16 is asked for and costs time instead of saving it."""
    on_cpu = next(model.parameters()).device.type == "cpu"
    if config.precision == "bfloat16" and on_cpu and not cpu_has_bfloat16():
        say(
            "training.precision: this CPU has no products in bfloat16, and is slower with them than with "
            "float32",
            quiet=quiet,
        )


def compile_blocks(model: nn.Module, *, backend: str = "inductor") -> None:
    """Compile what is repeated, for any length. The weights keep their names."""
    blocks = [layer for layers in model.modules() if isinstance(layers, nn.ModuleList) for layer in layers]
    if not blocks:
        raise ConfigError("training.compile is for models with repeated layers, and this one has none")
    for layer in blocks:
        layer.compile(dynamic=True, backend=backend)
    for module in model.modules():
        if isinstance(module, Dropout):  # its key is another one each step: a graph would be made for each
            module.forward = torch.compiler.disable(module.forward)  # type: ignore[method-assign, no-untyped-call]


def is_finite(tensors: Sequence[Tensor]) -> bool:
    """Whether every value is a number."""
    return all(bool(tensor.isfinite().all()) for tensor in tensors)


def first_bad_module(model: nn.Module, forward: Callable[[], object]) -> str:
    """Name where the first value that is no number appears: a weight, an output of a module, a gradient.

    forward: the pass that gave it, to be run again
    """
    for name, parameter in model.named_parameters():
        if not is_finite([parameter]):
            return f"the weight {name}"
    found: list[str] = []
    paths = {module: path for path, module in model.named_modules()}

    def look(module: nn.Module, _: object, output: object) -> None:
        if not found and not is_finite(_tensors(output)):
            found.append(f"the output of {paths[module] or 'the model'}")

    handles = [module.register_forward_hook(look) for module in model.modules()]
    try:
        with torch.no_grad():
            forward()
    finally:
        for handle in handles:
            handle.remove()
    if found:
        return found[0]
    for name, parameter in model.named_parameters():
        if parameter.grad is not None and not is_finite([parameter.grad]):
            return f"the gradient of {name}"
    return "the loss itself"


def _tensors(value: object) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value] if value.is_floating_point() else []
    if isinstance(value, tuple | list):
        return [tensor for entry in value for tensor in _tensors(entry)]
    return []
