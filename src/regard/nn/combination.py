"""How the vectors of two sentences are combined."""

import torch
from torch import Tensor, nn

from regard.config.sentence import CombinationConfig, FactoredConfig


class FactoredCombination(nn.Module):
    """F = (M₁ W₁) ⊙ (M₂ W₂), a W of its own for each hop (Lin et al. 2017, appendix B).

    A gate between two sentence matrices: hop i of the one meets hop i of the other.
    """

    def __init__(self, *, rows: int, size: int, hidden_size: int) -> None:
        super().__init__()
        self.first = nn.Parameter(torch.empty(rows, size, hidden_size))
        self.second = nn.Parameter(torch.empty(rows, size, hidden_size))
        for weight in (self.first, self.second):
            nn.init.uniform_(weight, -(size**-0.5), size**-0.5)
        self.output_size = hidden_size

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        """(b, r, d) twice -> (b, r, hidden_size)."""
        return torch.einsum("brd,rdk->brk", first, self.first) * torch.einsum(
            "brd,rdk->brk", second, self.second
        )


class MatchingCombination(nn.Module):
    """[u; v; |u − v|; u ⊙ v], which has no weights (Mou et al. 2016, Conneau et al. 2017)."""

    def __init__(self, *, size: int) -> None:
        super().__init__()
        self.output_size = 4 * size

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        """(b, r, d) twice -> (b, r, 4 d)."""
        return torch.cat([first, second, (first - second).abs(), first * second], dim=-1)


Combination = FactoredCombination | MatchingCombination


def build_combination(config: CombinationConfig, *, rows: int, size: int) -> Combination:
    """The combination that the settings name, for sentences of so many rows of this width."""
    if isinstance(config, FactoredConfig):
        return FactoredCombination(rows=rows, size=size, hidden_size=config.hidden_size)
    return MatchingCombination(size=size)
