"""Two LSTMNs as encoder and decoder, with shallow or deep fusion (Cheng et al. 2016, section 4)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from regard.config.model import LSTMNConfig
from regard.models.encoder_decoder import EncoderDecoderNetwork
from regard.models.word_embeddings import output_layer, scaled
from regard.nn.attention import Attention, Memory
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.decoder import DecoderInputs, DecoderOutput
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.linear import Linear
from regard.nn.lstmn import LSTMN, LSTMNState
from regard.nn.scores import AdditiveScore
from regard.nn.trace import Trace


@dataclass(frozen=True, slots=True)
class LSTMNSeq2SeqState:
    """The decoder's tapes, and the source sentences."""

    writer: LSTMNState
    sources: tuple[Memory, ...]
    """The memory of the cross-attention: with deep fusion, of each layer."""
    examples: Tensor
    """(b,) the source sentence of each row; while it stays, a re-ordering need not copy the source."""

    def select(self, rows: Tensor) -> "LSTMNSeq2SeqState":
        """The state of these rows, in this order."""
        examples, sources = self.examples[rows], self.sources
        if not torch.equal(examples, self.examples):
            sources = tuple(source.select(rows) for source in sources)
        return LSTMNSeq2SeqState(self.writer.select(rows), sources, examples)


class LSTMNSeq2Seq(EncoderDecoderNetwork):
    """An encoder, a decoder, and their fusion.

    shallow: c_t from an additive attention of the decoder's state s_t over the encoder's; the readout is
             tanh(W [s_t; c_t])
    deep:    each layer of the decoder attends to the tapes of the encoder's layer, and adds the result to
             its memory (`nn/fusion.py`); the readout is tanh(W s_t)
    """

    longest: int | None = None

    def __init__(self, config: LSTMNConfig, *, source_size: int, target_size: int) -> None:
        super().__init__()
        width, size = config.embedding_size, config.hidden_size
        self.add_embeddings(config, width, source_size=source_size, target_size=target_size)
        deep, attention = config.fusion == "deep", config.attention_size or size
        self.encoder, self.decoder = (
            LSTMN(config, input_size=width, dropout=config.dropout, deep_fusion=fuses)
            for fuses in (False, deep)
        )
        score = AdditiveScore(query_size=size, key_size=size, hidden_size=attention)
        self.attention = None if deep else Attention(score)
        self.readout = Linear(size if deep else 2 * size, width)
        self.output = output_layer(width, self.target_embedding, tied=config.tie_embeddings)
        self.dropout_source, self.dropout_target = Dropout(config.dropout), Dropout(config.dropout)
        self.dropout_readout = Dropout(config.dropout)

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """The intra-attention of the encoder, the cross-attention, and the intra-attention of the decoder."""
        layers = range(len(self.decoder.layers))
        sites = {f"encoder.layers.{n}": AttentionSpec("memory", n) for n in layers}
        for n in layers:
            if self.attention is None:
                sites[f"decoder.fusions.{n}"] = AttentionSpec("cross", n)
            sites[f"decoder.layers.{n}"] = AttentionSpec("decoder-self", n)
        return sites if self.attention is None else {**sites, "attention": AttentionSpec("cross")}

    def start(
        self, source: Tensor, lengths: Tensor, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> LSTMNSeq2SeqState:
        """Encode the source sentences, (b, s) and (b,): the initial state."""
        words = self.dropout_source(scaled(self.source_embedding, source), rng)
        states, read = self.encoder(words, rng=rng, trace=trace)
        if self.attention is None:
            sources = self.decoder.remember(read, lengths)
        else:
            sources = (self.attention.remember(states, lengths),)
        examples = torch.arange(len(source), device=source.device)
        return LSTMNSeq2SeqState(self.decoder.start(len(source)), sources, examples)

    def step(
        self, tokens: Tensor, state: LSTMNSeq2SeqState, *, trace: Trace | None = None
    ) -> tuple[Tensor, LSTMNSeq2SeqState]:
        """Feed one token a row, (b,); the logits of the next, (b, v), and the state after it."""
        features, writer = self._write(scaled(self.target_embedding, tokens)[:, None], state, None, trace)
        logits: Tensor = self.output(features.squeeze(1))
        return logits, replace(state, writer=writer)

    def teacher_forced(
        self, inputs: DecoderInputs, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> DecoderOutput:
        """Teacher forcing: the output at every position; a step is made for all rows of the batch."""
        state = self.start(inputs.source, inputs.lengths, rng=rng, trace=trace)
        words = self.dropout_target(scaled(self.target_embedding, inputs.fed), rng)
        features, _ = self._write(words, state, rng, trace)
        return DecoderOutput(features, self.output)

    def _write(
        self, words: Tensor, state: LSTMNSeq2SeqState, rng: DropoutRng | None, trace: Trace | None
    ) -> tuple[Tensor, LSTMNState]:
        """Decode some target words, (b, t, e): the features of the output layer, (b, t, e)."""
        position = state.writer.position
        fused = state.sources if self.attention is None else ()
        states, writer = self.decoder(words, state.writer, sources=fused, rng=rng, trace=trace)
        if self.attention is not None:
            if trace is not None:
                trace.step = position
            contexts, _ = self.attention(states, state.sources[0], position=position, trace=trace)
            states = torch.cat([states, contexts], dim=-1)
        features: Tensor = self.dropout_readout(self.readout(states).tanh(), rng)
        return features, writer
