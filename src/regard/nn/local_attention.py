"""Global and local attention: all of the source, or a window of it (Luong et al. 2015)."""

from typing import Protocol

import torch
from torch import Tensor, nn

from regard.config.model import AttentionConfig
from regard.nn.linear import Linear


class AttentionWindow(Protocol):
    """Which source positions each query may attend to."""

    def __call__(
        self, query: Tensor, lengths: Tensor, size: int, position: int
    ) -> tuple[Tensor, Tensor | None]:
        """Lay a window over the source for every query.

        query:    (b, q, d)
        lengths:  (b,), the real length of each sentence
        size:     source positions in the batch, padding included
        position: target position of the first query
        returns:  the mask of each, bool; and what its softmax is multiplied by there, or None; both
                  (b, q, size)
        """
        ...


class LocalM(nn.Module):
    """Monotonic: 2 D + 1 positions around that of the target word, or around the last."""

    def __init__(self, reach: int) -> None:
        super().__init__()
        self.reach = reach

    def forward(self, query: Tensor, lengths: Tensor, size: int, position: int) -> tuple[Tensor, None]:
        """Lay the window."""
        steps = torch.arange(position, position + query.shape[1], device=query.device)
        centre = torch.minimum(steps, lengths[:, None] - 1)  # (b, q)
        return (_places(query, size) - centre[..., None]).abs() <= self.reach, None


class LocalP(nn.Module):
    """Predictive: around p = S · σ(v · tanh(W s)), multiplied by exp(-(j - p)² / (2 (D / 2)²)).

    S is the real length of the sentence. The softmax is taken over the window, then the Gaussian takes mass
    away: a row sums to less than 1.
    """

    def __init__(self, *, query_size: int, reach: int) -> None:
        super().__init__()
        self.reach = reach
        self.query = Linear(query_size, query_size, bias=False)  # W
        self.centre = Linear(query_size, 1, bias=False)  # v

    def forward(self, query: Tensor, lengths: Tensor, size: int, position: int) -> tuple[Tensor, Tensor]:
        """Lay the window."""
        del position
        centre = lengths[:, None, None] * self.centre(self.query(query).tanh()).sigmoid()  # (b, q, 1)
        distance = _places(query, size) - centre
        return distance.abs() <= self.reach, (-2 * (distance / self.reach) ** 2).exp()


def _places(query: Tensor, size: int) -> Tensor:
    return torch.arange(size, device=query.device)


def build_window(config: AttentionConfig, *, query_size: int) -> AttentionWindow | None:
    """The window that the settings name; None = global attention."""
    if config.window == "local_m":
        return LocalM(config.reach)
    return LocalP(query_size=query_size, reach=config.reach) if config.window == "local_p" else None
