"""Taggers: word and character embeddings, a recurrent encoder, emission scores, a CRF or a softmax.

With a CRF this is the model of Lample et al. 2016 (characters by a BiLSTM) and of Ma and Hovy 2016 (by a
CNN); with independent labels that of Plank et al. 2016.
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from regard.config.tagger import (
    CharacterLSTMConfig,
    CRFLabellingConfig,
    LabellingConfig,
    SelfAttentionConfig,
    TaggerConfig,
)
from regard.errors import ShapeError
from regard.models.word_embeddings import scaled, word_embedding
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.blocks import BlockConfig, EncoderLayer
from regard.nn.characters import CharacterCNN, CharacterEncoder, CharacterLSTM, CharacterPooler
from regard.nn.crf import CRF
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.layout import Layout
from regard.nn.linear import Linear
from regard.nn.masks import padding_mask
from regard.nn.recurrent import Recurrent
from regard.nn.token_classifier import SoftmaxTagDecoder, WordBatch
from regard.nn.trace import Trace
from regard.text.symbols import UNK


class TaggerNetwork(nn.Module):
    """Scores the labels of each word of sentences whose words are given."""

    source_vocab_params: tuple[str, ...] = ("embedding.weight",)

    def __init__(self, config: TaggerConfig, *, source_size: int, characters: int, outputs: int) -> None:
        """characters: size of the character vocabulary; 0 for a model without"""
        super().__init__()
        self.embedding = word_embedding(source_size, config.embedding_size)
        self.word_dropout = Dropout(config.word_dropout)
        self.characters = _character_encoder(config, characters)
        spelt = self.characters.output_size if self.characters else 0
        self.encoder = Recurrent(
            config.encoder, input_size=config.embedding_size + spelt, dropout=config.dropout
        )
        width = self.encoder.output_size
        self.attention = _attention(config.attention, width, config.dropout) if config.attention else None
        self.output = Linear(width, outputs)
        self.labelling = build_tag_decoder(config.labelling, outputs)
        self.dropout_words = Dropout(config.dropout)
        self.dropout_states = Dropout(config.dropout)

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """The self-attention, if there is one."""
        return {} if self.attention is None else {"attention.self": AttentionSpec("encoder-self", 0)}

    def forward(
        self, words: WordBatch, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> Tensor:
        """Emission scores of each word, (b, t, outputs)."""
        layout = Layout.of(padding_mask(words.lengths, words.tokens.shape[1]))
        vectors = scaled(self.embedding, self._with_unknown(words.tokens, rng))
        if self.characters is not None:
            if words.spelling is None:
                raise ShapeError("this model needs the characters of each word, found none")
            spelt = self.characters(words.spelling.characters, words.spelling.lengths, rng=rng)
            vectors = torch.cat([vectors, layout.unpack(spelt)], dim=-1)
        states, _ = self.encoder(self.dropout_words(vectors, rng), words.lengths, rng=rng)
        if self.attention is not None:
            looked = self.attention(layout.pack(states), layout, rng=rng, trace=trace)
            states = layout.unpack(looked)
        scores: Tensor = self.output(self.dropout_states(states, rng))
        return scores

    def _with_unknown(self, tokens: Tensor, rng: DropoutRng | None) -> Tensor:
        """Word dropout: some words become the unknown one."""
        kept = self.word_dropout(torch.ones_like(tokens, dtype=self.embedding.weight.dtype), rng)
        return tokens.masked_fill(kept == 0, UNK)


def build_tag_decoder(config: LabellingConfig, outputs: int) -> CRF | SoftmaxTagDecoder:
    """The CRF or softmax that turns emission scores into labels."""
    return CRF(outputs) if isinstance(config, CRFLabellingConfig) else SoftmaxTagDecoder()


def _character_encoder(config: TaggerConfig, count: int) -> CharacterEncoder | None:
    own = config.characters
    if own is None:
        return None
    reader: CharacterPooler = (
        CharacterLSTM(character_size=own.character_size, hidden_size=own.hidden_size)
        if isinstance(own, CharacterLSTMConfig)
        else CharacterCNN(character_size=own.character_size, filters=own.filters, widths=own.widths)
    )
    return CharacterEncoder(count, character_size=own.character_size, reader=reader)


def _attention(config: SelfAttentionConfig, width: int, dropout: float) -> EncoderLayer:
    return EncoderLayer(
        BlockConfig(
            width=width,
            heads=config.heads,
            head_size=width // config.heads,
            feed_forward=config.feed_forward,
            activation="relu",
            order="post",
            dropout=dropout,
        )
    )
