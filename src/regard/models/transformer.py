"""The Transformer (Vaswani et al. 2017): an encoder and a decoder of attention alone."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from regard.config.transformer import BlocksConfig, TransformerConfig
from regard.models.encoder_decoder import EncoderDecoderNetwork
from regard.models.word_embeddings import (
    add_positions,
    output_layer,
    scaled,
    word_embedding,
)
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.blocks import BlockConfig, DecoderLayer, EncoderLayer, drops_layer, init_xavier, make_norm
from regard.nn.cache import Cache, Caches
from regard.nn.decoder import DecoderInputs, DecoderOutput
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.layout import Layout
from regard.nn.masks import padding_mask
from regard.nn.multihead import Keys
from regard.nn.trace import Trace


@dataclass(frozen=True, slots=True)
class TransformerState:
    """The decoder's state after some target words, and the source sentences."""

    caches: Caches
    """The key-value cache of the words fed so far."""
    memories: tuple[Keys, ...]
    """Of each layer, the keys and values of the source, once a sentence: the rows of a beam share them."""
    sentences: Tensor
    """(b,) the sentence of each row: as many rows after each other for every one, in their order."""

    def select(self, rows: Tensor) -> "TransformerState":
        """The state of these rows, in this order."""
        return self._with(self.caches.select(rows), rows)

    def take(self, rows: Tensor) -> "TransformerState":
        """The same in place; this one must not be used again."""
        return self._with(self.caches.take(rows), rows)

    def _with(self, caches: Caches, rows: Tensor) -> "TransformerState":
        """With the caches of these rows, and their sentences."""
        memories, sentences = self.memories, self.sentences[rows]
        if torch.equal(sentences, self.sentences):  # a beam, none of whose sentences is done
            return TransformerState(caches, memories, sentences)
        kept, counts = torch.unique_consecutive(sentences, return_counts=True)
        if (counts != counts[:1]).any():  # not a beam: every row gets a sentence of its own
            kept, counts = sentences, torch.ones_like(sentences)
        if not torch.equal(kept, torch.arange(len(memories[0].keys), device=kept.device)):
            memories = tuple(memory.select(kept) for memory in memories)
        sentences = torch.arange(len(kept), device=kept.device).repeat_interleave(counts)
        return TransformerState(caches, memories, sentences)


def block_config(config: BlocksConfig) -> BlockConfig:
    """The hyper-parameters of its layers."""
    return BlockConfig(
        width=config.width,
        heads=config.heads,
        head_size=config.size_of_head,
        feed_forward=config.feed_forward,
        activation=config.activation,
        norm=config.norm,
        order=config.order,
        rotary=config.positions == "rotary",
        dropout=config.dropout,
        attention_dropout=config.attention_dropout,
        activation_dropout=config.activation_dropout,
    )


class Transformer(EncoderDecoderNetwork):
    """Word and position embeddings, layers of attention, and an output layer."""

    def __init__(self, config: TransformerConfig, *, source_size: int, target_size: int) -> None:
        super().__init__()
        self.config = config
        self.add_embeddings(config, config.width, source_size=source_size, target_size=target_size)
        learned = config.positions == "learned"
        self.source_places = word_embedding(config.longest, config.width) if learned else None
        self.target_places = word_embedding(config.longest, config.width) if learned else None
        self.dropout_source, self.dropout_target = Dropout(config.dropout), Dropout(config.dropout)
        parts = block_config(config)
        self.encoder = nn.ModuleList(EncoderLayer(parts) for _ in range(config.encoder_layers))
        self.decoder = nn.ModuleList(DecoderLayer(parts) for _ in range(config.decoder_layers))
        last = config.order == "pre"
        self.encoder_norm = make_norm(config.norm, config.width) if last else nn.Identity()
        self.decoder_norm = make_norm(config.norm, config.width) if last else nn.Identity()
        self.output = output_layer(config.width, self.target_embedding, tied=config.tie_embeddings)
        for layers in (self.encoder, self.decoder):
            init_xavier(layers)

    @property
    def longest(self) -> int | None:
        """Maximum positions, if position embeddings are learned."""
        return self.config.longest if self.config.positions == "learned" else None

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """Every attention, lower layers first."""
        sites = {f"encoder.{n}.self": AttentionSpec("encoder-self", n) for n in range(len(self.encoder))}
        for n in range(len(self.decoder)):
            sites[f"decoder.{n}.self"] = AttentionSpec("decoder-self", n)
            sites[f"decoder.{n}.cross"] = AttentionSpec("cross", n)
        return sites

    def start(self, source: Tensor, lengths: Tensor, *, trace: Trace | None = None) -> TransformerState:
        """Encode the source sentences, (b, s) and (b,): the initial state."""
        memories, config = self._read(source, lengths, None, trace), self.config
        like, layers = memories[0].keys, len(self.decoder)
        caches = Caches.empty(like, layers, len(source), config.heads, config.size_of_head)
        return TransformerState(caches, memories, torch.arange(len(source), device=source.device))

    def _read(
        self, source: Tensor, lengths: Tensor, rng: DropoutRng | None, trace: Trace | None
    ) -> tuple[Keys, ...]:
        """The source sentences, (b, s) and (b,), as keys and values of each decoder layer."""
        layout = Layout.of(padding_mask(lengths, source.shape[1]))
        words = self._with_places(self.source_embedding, self.source_places, source, layout, 0)
        words = self.dropout_source(words, rng)
        for number, layer in enumerate(self.encoder):
            if not drops_layer(f"encoder.{number}", self.config.layer_drop, words, rng):
                words = layer(words, layout, rng=rng, trace=trace)
        words = self.encoder_norm(words)
        return tuple(layer.cross.remember(words, layout) for layer in self.decoder)  # type: ignore[operator, union-attr]

    def step(
        self, tokens: Tensor, state: TransformerState, *, trace: Trace | None = None
    ) -> tuple[Tensor, TransformerState]:
        """Feed one token a row, (b,); the logits of the next, (b, v), and the state after it."""
        ones = torch.ones_like(tokens, dtype=torch.bool)
        layout, memories = Layout(ones[:, None], None), state.memories
        asking = Layout(ones.view(len(memories[0].keys), -1), None)
        if trace is not None:  # a trace needs the weights of each row
            asking, memories = layout, tuple(memory.select(state.sentences) for memory in memories)
        words, after = self._write(
            tokens[:, None], layout, memories, asking, state.caches.layers, None, trace
        )
        logits: Tensor = self.output(words)
        return logits, replace(state, caches=state.caches.longer(after))

    def teacher_forced(
        self, inputs: DecoderInputs, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> DecoderOutput:
        """Teacher forcing: the output at every position that counts, in one pass."""
        fed, real = inputs.fed, inputs.real
        memories = self._read(inputs.source, inputs.lengths, rng, trace)
        layout = Layout.of(real) if real is not None else Layout(torch.ones_like(fed, dtype=torch.bool), None)
        words, _ = self._write(fed, layout, memories, layout, None, rng, trace)
        return DecoderOutput(layout.unpack(words), self.output)

    def _write(
        self,
        tokens: Tensor,
        layout: Layout,
        memories: tuple[Keys, ...],
        asking: Layout,
        caches: tuple[Cache, ...] | None,
        rng: DropoutRng | None,
        trace: Trace | None,
    ) -> tuple[Tensor, tuple[Cache, ...]]:
        """A whole target, or words after those of the caches: (b, t) -> (n, width); the caches after them.

        asking: the layout of the same words with a row for each sentence of the memories
        """
        before = caches[0].size if caches else 0
        if trace is not None:
            trace.step = before
        words = self._with_places(self.target_embedding, self.target_places, tokens, layout, before)
        words = self.dropout_target(words, rng)
        after = []
        for number, (layer, memory) in enumerate(zip(self.decoder, memories, strict=True)):
            if drops_layer(f"decoder.{number}", self.config.layer_drop, words, rng):
                continue
            cache = caches[number] if caches else None
            words, grown = layer(words, layout, cache, memory, asking, rng=rng, trace=trace)
            after.append(grown)
        return self.decoder_norm(words), tuple(after)

    def _with_places(
        self,
        embedding: nn.Embedding,
        learned: nn.Embedding | None,
        tokens: Tensor,
        layout: Layout,
        first: int,
    ) -> Tensor:
        """Word embeddings with positions, (b, t) -> (n, width)."""
        packed = layout.pack(tokens)
        words = scaled(embedding, packed) if self.config.scale_embeddings else embedding(packed)
        return add_positions(words, layout, first, kind=self.config.positions, learned=learned)
