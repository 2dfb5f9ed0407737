"""The optimizer: its groups of parameters, and the learning rate as a function of the step."""

import math
from typing import Any, Protocol

import torch
from torch import nn

from regard.config.training import OptimizerConfig, ScheduleConfig
from regard.errors import ConfigError


class LayeredModel(Protocol):
    """A model that knows how deep its parameters are."""

    @property
    def top(self) -> int:
        """How deep what is above the layers is."""
        ...

    def depth_of(self, name: str) -> int:
        """How deep a parameter is: 0 for word and position embeddings, 1 for the first layer."""
        ...


def freeze(model: nn.Module, layers: int | None) -> None:
    """Let the vectors of words and so many of the lowest layers stay as they are; None = none of them."""
    if layers is None:
        return
    layered: LayeredModel = model  # type: ignore[assignment]  # the recipe has seen to it
    if layers >= layered.top:
        raise ConfigError(
            f"training.frozen_layers: the encoder has {layered.top - 1} layers, found {layers} to be frozen"
        )
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(layered.depth_of(name) > layers)
    if not any(parameter.requires_grad for parameter in model.parameters()):
        raise ConfigError(
            f"training.frozen_layers: with {layers} nothing is left to learn, for nothing is above them; "
            "say fewer"
        )


def parameter_groups(model: nn.Module, decay: float) -> list[dict[str, Any]]:
    """Parameters by their share of the learning rate: decay to the power of the layers above them."""
    if decay == 1.0:
        return [{"params": list(model.parameters()), "share": 1.0}]
    layered: LayeredModel = model  # type: ignore[assignment]  # the recipe has seen to it
    groups: dict[int, list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        groups.setdefault(layered.top - layered.depth_of(name), []).append(parameter)
    return [{"params": groups[above], "share": decay**above} for above in sorted(groups)]


def freeze_vectors(groups: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same groups, in which biases and the factors of normalisations are not pulled towards zero."""
    apart = []
    for group in groups:
        matrices, vectors = ([p for p in group["params"] if (p.dim() > 1) == wide] for wide in (True, False))
        apart += [{**group, "params": matrices}] if matrices else []
        apart += [{**group, "params": vectors, "weight_decay": 0.0}] if vectors else []
    return apart


def learning_rate_share(step: int, total: int, schedule: ScheduleConfig, *, spent: float = 0.0) -> float:
    """Share of the peak learning rate at a step, which counts from 1 to `total`.

    spent: the share of the time that is over, where a run has a limit; the decay follows what is further on
    """
    warmup = schedule.warmup_steps
    if step < warmup:
        return step / warmup
    rising = spent * warmup / max(1, step)  # the share of the time that the warm-up took, if steps are alike
    by_time = (spent - rising) / (1.0 - rising) if rising < 1.0 else 0.0
    progress = max(by_time, (step - warmup) / max(1, total - warmup))  # 0 at the peak, 1 at the end
    match schedule.kind:
        case "constant":
            return 1.0
        case "inverse_sqrt":
            return math.sqrt(max(1, warmup) / step)
        case "linear":
            return 1.0 - (1.0 - schedule.floor) * progress
        case "cosine":
            return schedule.floor + (1.0 - schedule.floor) * (1 + math.cos(math.pi * progress)) / 2


def make_optimizer(model: nn.Module, config: OptimizerConfig) -> torch.optim.Optimizer:
    """Adam or AdamW, in torch's fused form: one pass over the weights a step."""
    kind = torch.optim.AdamW if config.kind == "adamw" else torch.optim.Adam
    groups = parameter_groups(model, config.layer_decay)
    return kind(
        freeze_vectors(groups) if config.weight_decay else groups,
        lr=config.learning_rate,
        betas=config.betas,
        eps=config.epsilon,
        weight_decay=config.weight_decay,
        fused=True,
    )
