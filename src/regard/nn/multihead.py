"""Multi-head attention (Vaswani et al. 2017)."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from regard.nn.attention import masked_softmax
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.layout import Layout
from regard.nn.linear import Linear
from regard.nn.positions import apply_rotary
from regard.nn.scores import Explained
from regard.nn.trace import AttentionInputs, Trace

FUSED_FROM = 128
"""Keys from which torch's fused kernel is faster than two products and a softmax, on a CPU, in training; on a
GPU it always is."""
FUSED_TO_READ = 32
"""The same where nothing is trained: with fewer keys, the products of all heads at once are faster (12 heads
of 32 over 32 texts, one thread: 15 keys 0.9 ms against 1.4, 24 keys 1.1 against 1.7, 40 keys 3.7 against
3.1)."""
FEW_QUERIES = 8
"""With fewer, as in a decoding step, the fused kernel is taken whatever the keys."""


def _fuses(queries: int, keys: int) -> bool:
    """Whether the fused kernel is the faster one, on a CPU."""
    if torch.is_grad_enabled():
        return keys >= FUSED_FROM
    return queries < FEW_QUERIES or keys >= FUSED_TO_READ


@dataclass(frozen=True)
class Keys:
    """Keys and values of all heads."""

    keys: Tensor
    """(b, h, k, d)."""
    values: Tensor
    """(b, h, k, d)."""
    mask: Tensor
    """Broadcastable to (b, h, q, k), True = may be attended to."""
    hides: bool = True
    """Whether the mask may hide anything."""

    def select(self, rows: Tensor) -> "Keys":
        """Those of these rows of the batch, in this order."""
        return Keys(self.keys[rows], self.values[rows], self.mask[rows], self.hides)


class MultiHead(nn.Module):
    """softmax(q kᵀ / √d_k) v in each head, the heads side by side, and one projection of all of them."""

    def __init__(self, *, width: int, heads: int, head_size: int, dropout: float, rotary: bool) -> None:
        super().__init__()
        self.heads, self.head_size, self.rotary = heads, head_size, rotary
        self.output = Linear(heads * head_size, width)
        self.dropout = Dropout(dropout)

    def look(
        self,
        query: Tensor,
        memory: Keys,
        layout: Layout,
        rng: DropoutRng | None,
        trace: Trace | None,
        onto: Tensor | None = None,
    ) -> Tensor:
        """Queries, (b, h, q, d), to the output for the words of `layout`, (n, width).

        onto: what the result is added to, (n, width)
        """
        drops = rng is not None and round(256 * self.dropout.rate) > 0
        on_gpu = memory.keys.is_cuda
        if trace is None and not drops and (on_gpu or _fuses(query.shape[-2], memory.keys.shape[-2])):
            mask = memory.mask.expand(*query.shape[:-1], -1) if memory.hides else None
            if mask is not None and not on_gpu and memory.mask.all():  # all are of one length now
                mask = None
            context = functional.scaled_dot_product_attention(query, memory.keys, memory.values, mask)
        else:
            scaled = query * self.head_size**-0.5
            weights = masked_softmax(scaled @ memory.keys.mT, memory.mask if memory.hides else None)
            if trace is not None:
                weights = trace.capture(
                    self, weights, AttentionInputs(scaled, memory.keys, memory.values, memory.mask)
                )
            context = self.dropout(weights, rng) @ memory.values
        words: Tensor = self.output(layout.join(context), onto)
        return words

    def explain(self, query: Tensor, keys: Tensor) -> Explained:
        """How one query of one head, (d,), was compared with its keys, (k, d)."""
        return Explained("e_j = q · k_j / √d", {"q / √d": query, "k": keys}, query * keys)


class SelfAttention(MultiHead):
    """Self-attention: one product makes queries, keys and values."""

    def __init__(self, *, width: int, heads: int, head_size: int, dropout: float, rotary: bool) -> None:
        super().__init__(width=width, heads=heads, head_size=head_size, dropout=dropout, rotary=rotary)
        self.input = Linear(width, 3 * heads * head_size)

    def heads_of(self, words: Tensor, layout: Layout, first: int = 0) -> Tensor:
        """Queries, keys and values, (3, b, h, t, d), of words, (n, width).

        first: the position of the first word of each sentence
        """
        heads = layout.split(self.input(words), 3, self.heads)
        if not self.rotary:
            return heads
        places = torch.arange(first, first + layout.real.shape[1], device=words.device)
        query, keys, values = heads
        return torch.stack([apply_rotary(query, places), apply_rotary(keys, places), values])


class CrossAttention(MultiHead):
    """Cross-attention: keys and values are made once."""

    def __init__(self, *, width: int, heads: int, head_size: int, dropout: float) -> None:
        super().__init__(width=width, heads=heads, head_size=head_size, dropout=dropout, rotary=False)
        self.query = Linear(width, heads * head_size)
        self.memory = Linear(width, 2 * heads * head_size)

    def remember(self, words: Tensor, layout: Layout) -> Keys:
        """Keys and values of a sentence, (n, width)."""
        keys, values = layout.split(self.memory(words), 2, self.heads)
        return Keys(keys, values, layout.real[:, None, None], layout.places is not None)

    def forward(
        self,
        words: Tensor,
        memory: Keys,
        layout: Layout,
        rng: DropoutRng | None,
        trace: Trace | None,
        onto: Tensor | None = None,
    ) -> Tensor:
        """The output for words, (n, width); with `onto`, added to it."""
        (query,) = layout.split(self.query(words), 1, self.heads)
        return self.look(query, memory, layout, rng, trace, onto)
