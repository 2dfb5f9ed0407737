"""The layers of a Transformer (Vaswani et al. 2017): attention, feed-forward layers, residual connections."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from regard.nn.cache import Cache
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.layout import Layout
from regard.nn.linear import Linear
from regard.nn.multihead import CrossAttention, Keys, SelfAttention
from regard.nn.trace import Trace

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


@dataclass(frozen=True, kw_only=True, slots=True)
class BlockConfig:
    """The hyper-parameters of a layer."""

    width: int
    heads: int
    head_size: int
    feed_forward: int
    activation: Activation
    order: Literal["pre", "post"]
    """Pre-norm or post-norm."""
    norm: Literal["layer", "rms"] = "layer"
    epsilon: float | None = None
    """Added to the variance by a norm; None = its own default."""
    rotary: bool = False
    dropout: float = 0.0
    attention_dropout: float = 0.0
    activation_dropout: float = 0.0


class Residual(nn.Module):
    """x + dropout(sublayer(norm(x))), or norm(x + dropout(sublayer(x))) as in the paper."""

    def __init__(self, parts: BlockConfig) -> None:
        super().__init__()
        self.norm = make_norm(parts.norm, parts.width, parts.epsilon)
        self.dropout = Dropout(parts.dropout)
        self.before = parts.order == "pre"

    def enter(self, words: Tensor) -> Tensor:
        """The input of the sublayer."""
        return self.norm(words) if self.before else words

    def leave(self, words: Tensor, part: Callable[[Tensor | None], Tensor], rng: DropoutRng | None) -> Tensor:
        """What comes out.

        part: what is added to the words; given them, their sum. So it is asked where nothing is dropped out.
        """
        whole = part(words) if rng is None else words + self.dropout(part(None), rng)
        return whole if self.before else self.norm(whole)


class _Layer(nn.Module):
    """Self-attention and a feed-forward layer, with what a decoder has between them."""

    def __init__(self, parts: BlockConfig) -> None:
        super().__init__()
        self.self = SelfAttention(
            width=parts.width,
            heads=parts.heads,
            head_size=parts.head_size,
            dropout=parts.attention_dropout,
            rotary=parts.rotary,
        )
        self.around_self = Residual(parts)
        self.add_between(parts)
        self.feed_forward = FeedForward(
            parts.width,
            parts.feed_forward,
            activation=parts.activation,
            dropout=parts.activation_dropout,
        )
        self.around_feed_forward = Residual(parts)

    def add_between(self, parts: BlockConfig) -> None:
        """Make the sublayers between: none. Parameters are drawn in the order in which they are applied."""

    def feed(self, words: Tensor, rng: DropoutRng | None) -> Tensor:
        """The feed-forward layer, (n, width) -> (n, width)."""
        feed = partial(self.feed_forward, self.around_feed_forward.enter(words), rng)
        return self.around_feed_forward.leave(words, feed, rng)

    def attend_before(
        self, words: Tensor, layout: Layout, cache: Cache | None, rng: DropoutRng | None, trace: Trace | None
    ) -> tuple[Tensor, Cache | None]:
        """Causal self-attention of words, (n, width), over themselves and those before, cached or not."""
        before, count = (0 if cache is None else cache.size), layout.real.shape[1]
        heads = self.self.heads_of(self.around_self.enter(words), layout, before)
        query, keys, values = heads
        if cache is not None:
            cache = cache.add(heads[1:])
            keys, values = cache.heads
        seen = torch.ones(count, before + count, dtype=torch.bool, device=words.device).tril(before)  # (q, k)
        memory = Keys(keys, values, seen, hides=count > 1)
        look = partial(self.self.look, query, memory, layout, rng, trace)
        return self.around_self.leave(words, look, rng), cache


class EncoderLayer(_Layer):
    """Self-attention, then the feed-forward layer."""

    def forward(
        self, words: Tensor, layout: Layout, *, rng: DropoutRng | None, trace: Trace | None
    ) -> Tensor:
        """(n, width) -> (n, width)."""
        query, keys, values = self.self.heads_of(self.around_self.enter(words), layout)
        memory = Keys(keys, values, layout.real[:, None, None], layout.places is not None)
        look = partial(self.self.look, query, memory, layout, rng, trace)
        return self.feed(self.around_self.leave(words, look, rng), rng)


class DecoderLayer(_Layer):
    """Causal self-attention, cross-attention, then the feed-forward layer."""

    def add_between(self, parts: BlockConfig) -> None:
        """Make the cross-attention."""
        self.cross = CrossAttention(
            width=parts.width,
            heads=parts.heads,
            head_size=parts.head_size,
            dropout=parts.attention_dropout,
        )
        self.around_cross = Residual(parts)

    def forward(
        self,
        words: Tensor,
        layout: Layout,
        cache: Cache | None,
        memory: Keys,
        asking: Layout,
        *,
        rng: DropoutRng | None,
        trace: Trace | None,
    ) -> tuple[Tensor, Cache | None]:
        """Words, (n, width) -> (n, width): a whole target, or those after the words of a cache.

        asking: the same words, with a row for each sentence of the memory
        """
        words, cache = self.attend_before(words, layout, cache, rng, trace)
        look = partial(self.cross, self.around_cross.enter(words), memory, asking, rng, trace)
        return self.feed(self.around_cross.leave(words, look, rng), rng), cache


class CausalLayer(_Layer):
    """Causal self-attention, then the feed-forward layer: a decoder-only layer."""

    def forward(
        self,
        words: Tensor,
        layout: Layout,
        cache: Cache | None,
        *,
        rng: DropoutRng | None,
        trace: Trace | None,
    ) -> tuple[Tensor, Cache | None]:
        """Words, (n, width) -> (n, width): a whole text, or those after the words of a cache."""
        words, cache = self.attend_before(words, layout, cache, rng, trace)
        return self.feed(words, rng), cache


def init_xavier(layers: nn.Module) -> None:
    """Initialise the linear layers of a Transformer: Xavier, the biases 0."""
    for module in layers.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            nn.init.zeros_(module.bias)


def drops_layer(path: str, share: float, like: Tensor, rng: DropoutRng | None) -> bool:
    """LayerDrop: whether a layer is skipped in this training step (Fan et al. 2020); share: of the steps."""
    if rng is None or not share:
        return False
    return float(rng.uniform(f"layer drop {path}", like.new_empty(1))) < share
