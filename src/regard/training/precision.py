"""How many digits the products of a training step have, and who makes its kernels."""

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import nn

from regard.config.training import TrainingConfig
from regard.errors import ConfigError
from regard.nn.noise import Dropout


def precision(config: TrainingConfig, model: nn.Module) -> AbstractContextManager[object]:
    """Inside, products are made in the precision of the recipe."""
    if config.precision == "float32":
        return nullcontext()
    return torch.autocast(next(model.parameters()).device.type, torch.bfloat16)


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
