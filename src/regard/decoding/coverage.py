"""Cross-attention during a search, and the coverage penalty made from it."""

from collections.abc import Sequence

import torch
from torch import Tensor

from regard.errors import ConfigError
from regard.nn.trace import Trace

_LEAST = 1e-9
"""A source word with less attention than this costs no more: a window can leave it at exactly 0."""


class SourceAttention:
    """The attention over the source of one search, by a trace of its own."""

    def __init__(self, trace: Trace, paths: Sequence[str], counted: Tensor) -> None:
        """Record the attentions at these paths; `counted` is (b, s), True for words that must be covered."""
        if not paths:
            raise ConfigError(
                "the coverage penalty needs attention over the source, and this model has none; "
                "set coverage_beta to 0"
            )
        self.trace = trace
        self.counted = counted
        self._paths = paths

    def last(self) -> Tensor:
        """The weights of the last step, (n, s): the mean over heads and layers. They are kept no longer."""
        seen = [self.trace.kept.pop(path)[-1].weights[..., -1:, :] for path in self._paths]
        return mean_weights(seen).squeeze(1).double()


def mean_weights(layers: Sequence[Tensor]) -> Tensor:
    """The mean over layers, each (b, q, k) or (b, h, q, k), and their heads: (b, q, k)."""
    means = [weights.mean(dim=1) if weights.dim() == 4 else weights for weights in layers]
    return means[0] if len(means) == 1 else torch.stack(means).mean(dim=0)


def coverage(attention: Tensor, counted: Tensor) -> Tensor:
    """sum_i log min(sum_t a_ti, 1) over the counted words (Wu et al. 2016, equation 14).

    attention: (n, s), already summed over the steps
    counted:   (n, s), bool
    returns:   (n,), at most 0
    """
    return attention.clamp(_LEAST, 1.0).log().masked_fill(~counted, 0.0).sum(dim=-1)
