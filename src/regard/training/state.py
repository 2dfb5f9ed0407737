"""Where a run stands: enough to go on as if it had never stopped."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from regard.errors import StoreError


@dataclass(frozen=True)
class Progress:
    """How far a run has come. Order and dropout need no more: they are functions of this and the seed."""

    step: int = 0
    """Steps of the optimizer that are done."""
    epoch: int = 0
    step_of_epoch: int = 0
    """Steps of this epoch that are done."""
    validated: bool = True
    """False where a validation that is due after this step has not been made."""
    best: dict[str, float] | None = None
    best_step: int = 0
    validations_without_gain: int = 0
    stopped_early: bool = False
    steps_left_out: int = 0
    """Steps whose loss or gradient was no number."""
    seconds: float = 0.0
    log_bytes: int = 0
    """How much of the log belongs to what is done."""


@dataclass(frozen=True)
class Kept:
    """What a checkpoint holds besides the model."""

    progress: Progress
    optimizer: dict[str, Tensor]


def state_of(optimizer: torch.optim.Optimizer, model: nn.Module) -> dict[str, Tensor]:
    """The optimizer's tensors by kind and name of parameter, such as `exp_avg/output.bias`."""
    return {
        f"{kind}/{name}": value.detach().cpu().contiguous()
        for name, parameter in model.named_parameters()
        for kind, value in optimizer.state.get(parameter, {}).items()
    }


def put_state(optimizer: torch.optim.Optimizer, model: nn.Module, kept: dict[str, Tensor]) -> None:
    """Give an optimizer the tensors that `state_of` took from another."""
    parameters = dict(model.named_parameters())
    for key, value in kept.items():
        kind, _, name = key.partition("/")
        if name not in parameters:
            raise StoreError(f"the checkpoint has an optimizer state for '{name}', which the model has not")
        # Fused optimizers want the step count where the parameter is, like the rest.
        optimizer.state[parameters[name]][kind] = value.clone().to(parameters[name].device)
