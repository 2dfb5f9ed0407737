"""The decoder-only Transformer: layers of causal self-attention."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from regard.config.language import TransformerLMConfig
from regard.models.transformer import block_config
from regard.models.word_embeddings import add_positions, word_embedding
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.blocks import CausalLayer, drops_layer, init_xavier, make_norm
from regard.nn.cache import Cache, Caches
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.layout import Layout
from regard.nn.trace import Trace


@dataclass(frozen=True, slots=True)
class CausalState:
    """The key-value cache of each layer."""

    caches: Caches

    def select(self, rows: Tensor) -> "CausalState":
        """The state of these rows, in this order."""
        return CausalState(self.caches.select(rows))

    def take(self, rows: Tensor) -> "CausalState":
        """The same in place; this one must not be used again."""
        return CausalState(self.caches.take(rows))


class CausalTransformer(nn.Module):
    """Position embeddings, and layers of causal self-attention."""

    def __init__(self, config: TransformerLMConfig) -> None:
        super().__init__()
        self.config = config
        self.output_size = config.width
        learned = config.positions == "learned"
        self.places = word_embedding(config.longest, config.width) if learned else None
        self.dropout = Dropout(config.dropout)
        self.layers = nn.ModuleList(CausalLayer(block_config(config)) for _ in range(config.layers))
        self.norm = make_norm(config.norm, config.width) if config.order == "pre" else nn.Identity()
        init_xavier(self.layers)

    @property
    def longest(self) -> int | None:
        """Maximum positions, if position embeddings are learned."""
        return self.config.longest if self.config.positions == "learned" else None

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """The causal self-attention of each layer."""
        return {f"layers.{n}.self": AttentionSpec("decoder-self", n) for n in range(len(self.layers))}

    def start(self, rows: int) -> CausalState:
        """Nothing read yet."""
        like, config = next(self.parameters()), self.config
        return CausalState(Caches.empty(like, len(self.layers), rows, config.heads, config.size_of_head))

    def read(self, words: Tensor, state: CausalState, *, trace: Trace | None) -> tuple[Tensor, CausalState]:
        """One more word of each text, (b, width) -> (b, width)."""
        ones = torch.ones(len(words), 1, dtype=torch.bool, device=words.device)
        states, after = self._run(words, Layout(ones, None), state.caches.layers, None, trace)
        return states, CausalState(state.caches.longer(after))

    def read_all(
        self, words: Tensor, *, real: Tensor | None, rng: DropoutRng | None, trace: Trace | None
    ) -> Tensor:
        """Whole texts, (b, t, width) -> (b, t, width)."""
        ones = torch.ones(words.shape[:2], dtype=torch.bool, device=words.device)
        layout = Layout(ones, None) if real is None else Layout.of(real)
        states, _ = self._run(layout.pack(words), layout, (), rng, trace)
        return layout.unpack(states)

    def _run(
        self,
        words: Tensor,
        layout: Layout,
        caches: tuple[Cache, ...],
        rng: DropoutRng | None,
        trace: Trace | None,
    ) -> tuple[Tensor, tuple[Cache, ...]]:
        """Words, (n, width), after those of the caches; and the caches after them."""
        before = caches[0].size if caches else 0
        if trace is not None:
            trace.step = before
        words = add_positions(words, layout, before, kind=self.config.positions, learned=self.places)
        words = self.dropout(words, rng)
        after = []
        for number, layer in enumerate(self.layers):
            if drops_layer(f"reader.{number}", self.config.layer_drop, words, rng):
                continue
            words, grown = layer(words, layout, caches[number] if caches else None, rng=rng, trace=trace)
            after.append(grown)
        return self.norm(words), tuple(after)
