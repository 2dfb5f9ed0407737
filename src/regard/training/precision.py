"""How many digits the products of a training step have, and who makes its kernels."""

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import nn

from regard.config.training import TrainingConfig
from regard.errors import ConfigError
from regard.nn.noise import Dropout
from regard.progress import say


def precision(config: TrainingConfig, model: nn.Module) -> AbstractContextManager[object]:
    """Inside, products are made in the precision of the recipe."""
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
