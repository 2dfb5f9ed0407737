"""The position-wise layers of the Transformer, and its normalisations."""

from typing import Literal

from torch import Tensor, nn
from torch.nn import functional

from regard.nn.linear import Linear
from regard.nn.noise import Dropout, Noise

Activation = Literal["relu", "gelu", "gelu_tanh", "silu", "swiglu"]
"""gelu is x Φ(x) itself, gelu_tanh its approximation (Hendrycks and Gimpel 2016)."""


def activated(values: Tensor, kind: Activation) -> Tensor:
    """f(x) of every value; SwiGLU is no such function, but a layer."""
    match kind:
        case "relu":
            return values.relu()
        case "silu":
            return functional.silu(values)
        case "gelu_tanh":
            return functional.gelu(values, approximate="tanh")
        case "gelu":
            return functional.gelu(values)
    raise ValueError(f"{kind} is not a function of one value")


class FeedForward(nn.Module):
    """W₂ f(W₁ x + b₁) + b₂, of every word alone; with SwiGLU, W₂ (silu(W_g x + b_g) ⊙ (W₁ x + b₁)) + b₂."""

    def __init__(self, width: int, inner: int, *, activation: Activation, dropout: float) -> None:
        super().__init__()
        self.activation = activation
        self.up = Linear(width, 2 * inner if activation == "swiglu" else inner)
        self.down = Linear(inner, width)
        self.dropout = Dropout(dropout)

    def forward(self, words: Tensor, noise: Noise | None, onto: Tensor | None = None) -> Tensor:
        """(n, width) -> (n, width).

        onto: what the result is added to, (n, width)
        """
        inner: Tensor = self.up(words)
        if self.activation == "swiglu":
            gate, inner = inner.chunk(2, dim=-1)
            inner = functional.silu(gate) * inner
        else:
            inner = activated(inner, self.activation)
        down: Tensor = self.down(self.dropout(inner, noise), onto)
        return down


def make_norm(kind: Literal["layer", "rms"], width: int, epsilon: float | None = None) -> nn.Module:
    """Layer normalisation, or that by the root mean square alone; `epsilon` is added to the variance."""
    if kind == "layer":
        return nn.LayerNorm(width, eps=1e-5 if epsilon is None else epsilon)
    return nn.RMSNorm(width, eps=1e-6 if epsilon is None else epsilon)
