"""Where a number that is none came from."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn


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
