"""The position-wise layers of the Transformer, and its normalisations."""

from typing import Literal

from torch import Tensor, nn
from torch.nn import functional

from regard.nn.noise import Dropout, Noise

Activation = Literal["relu", "gelu", "swiglu"]


class FeedForward(nn.Module):
    """W₂ f(W₁ x + b₁) + b₂, of every word alone; with SwiGLU, W₂ (silu(W_g x + b_g) ⊙ (W₁ x + b₁)) + b₂."""

    def __init__(self, width: int, inner: int, *, activation: Activation, dropout: float) -> None:
        super().__init__()
        self.activation = activation
        self.up = nn.Linear(width, 2 * inner if activation == "swiglu" else inner)
        self.down = nn.Linear(inner, width)
        self.dropout = Dropout(dropout)

    def forward(self, words: Tensor, noise: Noise | None) -> Tensor:
        """(n, width) -> (n, width)."""
        inner: Tensor = self.up(words)
        if self.activation == "swiglu":
            gate, inner = inner.chunk(2, dim=-1)
            inner = functional.silu(gate) * inner
        else:
            inner = inner.relu() if self.activation == "relu" else functional.gelu(inner)
        down: Tensor = self.down(self.dropout(inner, noise))
        return down


def make_norm(kind: Literal["layer", "rms"], width: int) -> nn.Module:
    """Layer normalisation, or that by the root mean square alone."""
    return nn.LayerNorm(width) if kind == "layer" else nn.RMSNorm(width, eps=1e-6)
