"""Where a run stands, enough to resume as if it had never stopped; and how it ended."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn

from regard.errors import StoreError


class MovingAverage:
    """Exponential moving average of the weights (Polyak and Juditsky 1992): a ← d a + (1 − d) w at each step.

    d = min(decay, (1 + step) / (10 + step)), so that the first weights, which are chance, are soon forgotten.
    """

    def __init__(self, model: nn.Module, decay: float) -> None:
        self._model = model
        self._decay = decay
        self.weights = {name: value.detach().clone() for name, value in model.named_parameters()}

    @torch.no_grad()
    def update(self, step: int) -> None:
        """Take in the weights after a step, counted from 1."""
        share = 1 - min(self._decay, (1 + step) / (10 + step))
        own = [value.detach() for _, value in self._model.named_parameters()]
        torch._foreach_lerp_(list(self.weights.values()), own, share)  # one pass, like the fused optimizer

    def take(self, kept: Mapping[str, Tensor]) -> None:
        """Go on with an average that was kept."""
        for name, value in kept.items():
            self.weights[name].copy_(value)


@contextmanager
def swapped_in(model: nn.Module, weights: Mapping[str, Tensor] | None) -> Iterator[None]:
    """Within, the model has these weights; afterwards its own again, to the bit. None changes nothing."""
    if weights is None:
        yield
        return
    own = dict(model.named_parameters())
    before = {name: value.detach().clone() for name, value in own.items()}
    _put(own, weights)
    try:
        yield
    finally:
        _put(own, before)


@torch.no_grad()
def _put(own: Mapping[str, nn.Parameter], weights: Mapping[str, Tensor]) -> None:
    for name, parameter in own.items():
        parameter.copy_(weights[name])


_WEIGHT = "weight"


@dataclass(frozen=True)
class RunProgress:
    """How far a run has come. Order and dropout need no more: they are functions of this and the seed."""

    step: int = 0
    """Steps of the optimizer that are done."""
    epoch: int = 0
    step_of_epoch: int = 0
    """Steps of this epoch that are done."""
    validated: bool = True
    """False where a validation that is due after this step is missing."""
    best: dict[str, float] | None = None
    best_step: int = 0
    validations_without_gain: int = 0
    stopped_early: bool = False
    steps_left_out: int = 0
    """Steps whose loss or gradient was no number."""
    left_out_in_a_row: int = 0
    """Of these, the last ones."""
    last_is_finite: bool = True
    """Whether the last validation gave numbers."""
    seconds: float = 0.0
    training_seconds: float = 0.0
    """Spent in steps of training: without validations, saving and reading."""
    log_bytes: int = 0
    """How much of the log belongs to what is done."""
    log_sha256: str = ""
    """Of these bytes; checkpoints of older versions do not have it."""


@dataclass(frozen=True)
class TrainerState:
    """What a checkpoint holds besides the model."""

    progress: RunProgress
    tensors: dict[str, Tensor]
    """As `trainer_state` gives them."""


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
    averaged: tuple[int, ...] = ()
    """The steps whose weights were averaged into the best model, where that was the best."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)


def trainer_state(
    optimizer: torch.optim.Optimizer, model: nn.Module, average: MovingAverage | None
) -> dict[str, Tensor]:
    """The optimizer's tensors by kind and name of parameter, such as `exp_avg/output.bias`.

    Where the model that is stored is a moving average, the weights that are trained are here, as `weight/…`.
    """
    tensors = {
        f"{kind}/{name}": value.detach().cpu().contiguous()
        for name, parameter in model.named_parameters()
        for kind, value in optimizer.state.get(parameter, {}).items()
    }
    if average is not None:
        trained = {f"{_WEIGHT}/{name}": value.detach() for name, value in model.named_parameters()}
        tensors |= {key: value.to("cpu", copy=True) for key, value in trained.items()}
    return tensors


def load_trainer_state(
    optimizer: torch.optim.Optimizer,
    model: nn.Module,
    average: MovingAverage | None,
    kept: Mapping[str, Tensor],
) -> None:
    """Give back what `trainer_state` took; the model has the weights that were stored as the model's."""
    parameters = dict(model.named_parameters())
    if average is not None:
        average.take({name: value.detach() for name, value in parameters.items()})
    for key, value in kept.items():
        kind, _, name = key.partition("/")
        if name not in parameters:
            raise StoreError(f"the checkpoint has an optimizer state for '{name}', which the model has not")
        if kind == _WEIGHT:
            with torch.no_grad():
                parameters[name].copy_(value)
        else:
            # Fused optimizers want the step count where the parameter is, like the rest.
            optimizer.state[parameters[name]][kind] = value.clone().to(parameters[name].device)
