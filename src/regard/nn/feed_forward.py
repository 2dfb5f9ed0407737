"""The feed-forward layers of the Transformer, and its normalisations."""

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.linear import Linear

Activation = Literal["relu", "gelu", "gelu_tanh", "silu", "swiglu"]
"""gelu is x Φ(x) itself, gelu_tanh its approximation (Hendrycks and Gimpel 2016)."""


def activated(values: Tensor, kind: Activation, *, in_place: bool = False) -> Tensor:
    """f(x) of every value; SwiGLU is no such function, but a layer.

    in_place: where the values were
    """
    match kind:
        case "relu":
            return functional.relu(values, inplace=in_place)
        case "silu":
            return functional.silu(values, inplace=in_place)
        case "gelu" | "gelu_tanh":
            how = "tanh" if kind == "gelu_tanh" else "none"
            if in_place:  # which torch has, but not by a public name
                found: Tensor = torch.ops.aten.gelu_(values, approximate=how)
                return found
            return functional.gelu(values, approximate=how)
    raise ValueError(f"{kind} is not a function of one value")


class FeedForward(nn.Module):
    """W₂ f(W₁ x + b₁) + b₂, of every word alone; with SwiGLU, W₂ (silu(W_g x + b_g) ⊙ (W₁ x + b₁)) + b₂."""

    def __init__(self, width: int, inner: int, *, activation: Activation, dropout: float) -> None:
        super().__init__()
        self.activation = activation
        self.up = Linear(width, 2 * inner if activation == "swiglu" else inner)
        self.down = Linear(inner, width)
        self.dropout = Dropout(dropout)

    def forward(self, words: Tensor, rng: DropoutRng | None, onto: Tensor | None = None) -> Tensor:
        """(n, width) -> (n, width).

        onto: what the result is added to, (n, width)
        """
        inner: Tensor = self.up(words)
        if self.activation == "swiglu":
            gate, inner = inner.chunk(2, dim=-1)
            inner = functional.silu(gate) * inner
        else:
            # Where nothing is to be learned, values are written over: they are the largest of a layer, and to
            # read and to write them in one place takes 7 % less of the time of a sentence encoder.
            inner = activated(inner, self.activation, in_place=not torch.is_grad_enabled())
        down: Tensor = self.down(self.dropout(inner, rng), onto)
        return down


def make_norm(kind: Literal["layer", "rms"], width: int, epsilon: float | None = None) -> nn.Module:
    """Layer normalisation, or that by the root mean square alone; `epsilon` is added to the variance."""
    if kind == "layer":
        return nn.LayerNorm(width, eps=1e-5 if epsilon is None else epsilon)
    return nn.RMSNorm(width, eps=1e-6 if epsilon is None else epsilon)
