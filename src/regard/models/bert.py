"""BERT (Devlin et al. 2018) and its variants: a bidirectional Transformer encoder."""

from collections.abc import Mapping
from typing import Literal

import torch
from torch import Tensor, nn

from regard.config.bert import BertConfig
from regard.errors import DataError
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.blocks import BlockConfig, CausalLayer, EncoderLayer, activated
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.layout import Layout
from regard.nn.linear import Linear
from regard.nn.masks import padding_mask
from regard.nn.trace import Trace


def block_config(config: BertConfig) -> BlockConfig:
    """The hyper-parameters of its layers."""
    return BlockConfig(
        width=config.width,
        heads=config.heads,
        head_size=config.size_of_head,
        feed_forward=config.feed_forward,
        activation=config.activation,
        order="post",
        epsilon=config.norm_epsilon,
        dropout=config.dropout,
        attention_dropout=config.attention_dropout,
    )


class MaskedLMHead(nn.Module):
    """The masked LM head: a layer, its norm, and the output layer tied to the word embeddings."""

    def __init__(self, config: BertConfig, words: nn.Embedding) -> None:
        super().__init__()
        self.activation = config.activation
        self.dense = Linear(config.width, config.width)
        self.norm = nn.LayerNorm(config.width, eps=config.norm_epsilon)
        self.output = Linear(config.width, words.num_embeddings)
        self.output.weight = words.weight

    def features(self, states: Tensor) -> Tensor:
        """The features of the output layer, (…, width) -> (…, width)."""
        features: Tensor = self.norm(activated(self.dense(states), self.activation))
        return features

    def forward(self, states: Tensor) -> Tensor:
        """(…, width) -> logits, (…, v)."""
        logits: Tensor = self.output(self.features(states))
        return logits


class Bert(nn.Module):
    """Word, position and segment embeddings, and layers of self-attention over the whole text."""

    def __init__(self, config: BertConfig, *, vocabulary_size: int, next_sentence: bool = False) -> None:
        """next_sentence: with a head for next sentence prediction"""
        super().__init__()
        self.config = config
        self.word_embedding = nn.Embedding(vocabulary_size, config.width)
        self.place_embedding = nn.Embedding(config.places, config.width)
        self.segment_embedding = nn.Embedding(config.segments, config.width) if config.segments else None
        self.embedding_norm = nn.LayerNorm(config.width, eps=config.norm_epsilon)
        self.dropout = Dropout(config.dropout)
        parts = block_config(config)
        layer = EncoderLayer if config.reads == "both" else CausalLayer
        self.encoder = nn.ModuleList(layer(parts) for _ in range(config.layers))
        self.pooler = Linear(config.width, config.width) if config.pooler else None
        self.masked_words = MaskedLMHead(config, self.word_embedding) if config.masked_words else None
        self.next_sentence = Linear(config.width, 2) if next_sentence else None
        # As BERT was: all weights from one distribution, 0.02 wide. That is for a width of 768; a narrower
        # encoder whose products are as large as there learns to attend to words thousands of steps earlier.
        spread = 0.02 * (768 / config.width) ** 0.5
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                nn.init.normal_(module.weight, std=spread)
            if isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)

    @property
    def longest(self) -> int:
        """Maximum sequence length."""
        return self.config.longest

    @property
    def top(self) -> int:
        """The depth of what is above the layers."""
        return len(self.encoder) + 1

    def depth_of(self, name: str) -> int:
        """The depth of a parameter: 0 for the embeddings, 1 for the first layer."""
        part, _, rest = name.partition(".")
        if part == "encoder":
            return int(rest.partition(".")[0]) + 1
        return 0 if part.endswith("embedding") or part == "embedding_norm" else self.top

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """Every attention, lower layers first."""
        return {f"encoder.{n}.self": AttentionSpec("encoder-self", n) for n in range(len(self.encoder))}

    def forward(
        self,
        tokens: Tensor,
        lengths: Tensor,
        segments: Tensor | None = None,
        *,
        rng: DropoutRng | None = None,
        trace: Trace | None = None,
    ) -> Tensor:
        """The last hidden states, (b, t, width), with zeros at padding.

        tokens:   (b, t), with special tokens
        lengths:  (b,)
        segments: (b, t); None = all of the first
        """
        layout = Layout.of(padding_mask(lengths, tokens.shape[1]))
        words = self.word_embedding(layout.pack(tokens))
        if self.segment_embedding is not None:
            kinds = layout.pack(torch.zeros_like(tokens) if segments is None else segments)
            words = words + self.segment_embedding(kinds)
        words = words + self.place_embedding(layout.pack(self._places(tokens)))
        words = self.dropout(self.embedding_norm(words), rng)
        for layer in self.encoder:
            if isinstance(layer, CausalLayer):
                words, _ = layer(words, layout, None, rng=rng, trace=trace)
            else:
                words = layer(words, layout, rng=rng, trace=trace)
        return layout.unpack(words)

    def pooled(self, states: Tensor, activation: Literal["tanh", "relu"] = "tanh") -> Tensor:
        """The pooler output, of the first token, (b, t, width) -> (b, width)."""
        if self.pooler is None:
            raise DataError("this model has no pooler; take the state of the first token, or the mean of all")
        first: Tensor = self.pooler(states[:, 0])
        return first.tanh() if activation == "tanh" else first.relu()

    def follows(self, states: Tensor) -> Tensor:
        """Next sentence prediction: follows (0) or not (1), logits, (b, t, width) -> (b, 2)."""
        if self.next_sentence is None:
            raise DataError("this model has no head for next sentence prediction")
        logits: Tensor = self.next_sentence(self.pooled(states))
        return logits

    def _places(self, tokens: Tensor) -> Tensor:
        """Position ids, (b, t)."""
        if tokens.shape[1] > self.longest:
            raise DataError(
                f"this model has {self.longest} positions, found a text of {tokens.shape[1]} tokens"
            )
        uncounted = self.config.uncounted
        if uncounted is None:
            return torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)
        counted = (tokens != uncounted).long()
        return counted.cumsum(1) * counted + uncounted
