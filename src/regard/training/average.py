"""Other weights in a model's place: a moving average, or the mean of checkpoints."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn


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
def holding(model: nn.Module, weights: Mapping[str, Tensor] | None) -> Iterator[None]:
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
