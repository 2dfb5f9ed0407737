"""The recurrent encoder-decoder: what plain seq2seq, Bahdanau's and Luong's attention have in common."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from regard.config.model import AttentionConfig, Seq2SeqConfig
from regard.errors import ConfigError
from regard.models.encoder_decoder import EncoderDecoderNetwork
from regard.models.word_embeddings import output_layer, scaled
from regard.nn.attention import Attention, Memory, build_window
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.cells import CELLS, CellState
from regard.nn.decoder import CopyMechanism, DecoderInputs, DecoderOutput
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.linear import Linear
from regard.nn.recurrent import Recurrent
from regard.nn.scores import build_score
from regard.nn.trace import Trace


@dataclass(frozen=True, slots=True)
class EncodedSource:
    """The encoder output."""

    tokens: Tensor
    """(b, s)."""
    summary: Tensor
    """(b, d), the last state of each direction side by side."""
    memory: Memory | None
    """Keys and values of the cross-attention, of a model with attention."""

    def select(self, rows: Tensor) -> "EncodedSource":
        """The sentences of these rows, in this order."""
        memory = self.memory.select(rows) if self.memory is not None else None
        return EncodedSource(self.tokens[rows], self.summary[rows], memory)


@dataclass(frozen=True, slots=True)
class Seq2SeqState:
    """The decoder's state after some target words, and the source sentence."""

    layers: tuple[CellState, ...]
    """(b, d) each, the highest layer last."""
    top: Tensor
    """(b, d), the output of the highest layer: its state, with residual layers plus its input."""
    source: EncodedSource
    """Of each row; where rows may share it, of each run of rows with the same source."""
    examples: Tensor
    """The number of each sentence of `source`; while they stay, a re-ordering need not copy the source."""
    position: int = 0
    """How many words have been fed."""
    attentional: Tensor | None = None
    """(b, r), h̃ of the last step, of a model with input feeding."""
    coverage: Tensor | None = None
    """(b, s), the attention that each source word has received so far, of a model with coverage."""
    shares: bool = False
    """Whether rows may share a source, so that a beam does not copy the encoder output."""

    def select(self, rows: Tensor) -> "Seq2SeqState":
        """The state of these rows, in this order."""
        places = self._places(rows)
        examples = self.examples[places]
        same = torch.equal(examples, self.examples)
        return Seq2SeqState(
            tuple(tuple(part[rows] for part in layer) for layer in self.layers),
            self.top[rows],
            self.source if same else self.source.select(places),
            examples,
            self.position,
            None if self.attentional is None else self.attentional[rows],
            None if self.coverage is None else self.coverage[rows],
            self.shares,
        )

    def _places(self, rows: Tensor) -> Tensor:
        """Where the sources of these rows are: one a row, or one a run of rows, if all runs are as long."""
        places = rows // max(1, len(self.top) // max(1, len(self.examples)))
        if not self.shares:
            return places
        runs, lengths = torch.unique_consecutive(places, return_counts=True)
        return runs if bool((lengths == lengths[:1]).all()) else places


@dataclass(frozen=True, slots=True)
class StepOutputs:
    """The decoder output at some target positions, (b, t, …) each; all but the readout only for copying."""

    readout: Tensor
    """The features of the output layer."""
    hidden: Tensor | None = None
    """s_i, the highest layer's states."""
    contexts: Tensor | None = None
    weights: Tensor | None = None
    penalty: Tensor | None = None


class Seq2Seq(EncoderDecoderNetwork):
    """An encoder, an initial state, a readout and an output layer; subclasses run the steps.

    The readout: [s_i; y_{i-1}; c_i] where the previous state is the query, [s_i; c_i] where the current
    one is; without attention [s_i; y_{i-1}; C], or s_i where the source's vector C is the first state alone.
    """

    longest: int | None = None
    shares_source: bool = False
    """Whether hypotheses of one sentence can share its encoder output."""

    def __init__(self, config: Seq2SeqConfig, *, source_size: int, target_size: int) -> None:
        super().__init__()
        width, decoder = config.embedding_size, config.decoder
        self.config = config
        self.encoder = Recurrent(config.encoder, input_size=width, dropout=config.dropout)
        context = self.encoder.output_size
        self.attention = None if config.attention is None else build_attention(config, config.attention)
        self.add_embeddings(config, width, source_size=source_size, target_size=target_size)
        states = CELLS[decoder.cell].states
        self.bridge = (
            Linear(context, decoder.layers * states * decoder.hidden_size)
            if config.bridge == "dense"
            else None
        )
        self.coverage_loss = config.attention.coverage_loss if config.attention is not None else 0.0
        self.plain_context = config.attention is None and decoder.context == "every_step"
        self.reads_word = decoder.query == "previous" if config.attention is not None else self.plain_context
        seen = decoder.hidden_size + (width if self.reads_word else 0)
        seen += context if config.attention is not None or self.plain_context else 0
        self.readout = Linear(seen, config.readout_size)
        self.pointer = Linear(seen if self.reads_word else seen + width, 1) if config.copy_source else None
        self.output = output_layer(config.readout_size, self.target_embedding, tied=config.tie_embeddings)
        self.dropout_source = Dropout(config.dropout)
        self.dropout_target = Dropout(config.dropout)
        self.dropout_memory = Dropout(config.dropout)
        self.dropout_readout = Dropout(config.dropout)

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """The attention over the source, if there is one."""
        return {"attention": AttentionSpec("cross")} if self.attention is not None else {}

    def start(
        self, source: Tensor, lengths: Tensor, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> Seq2SeqState:
        """Encode the source sentences, (b, s) and (b,): the initial state, s_0 = tanh(W [→h_S; ←h_1] + b)."""
        embedded = self.dropout_source(scaled(self.source_embedding, source), rng)
        states, last = self.encoder(embedded, lengths, rng=rng)
        memory = None
        if self.attention is not None:
            memory = self.attention.remember(self.dropout_memory(states, rng), lengths)
        rows = len(source)
        feeds = self.attention is not None and self.config.decoder.feeds
        covers = self.config.attention is not None and self.config.attention.coverage
        layers = self._first_state(last)
        return Seq2SeqState(
            layers,
            layers[-1][0],
            EncodedSource(source, last, memory),
            torch.arange(rows, device=source.device),
            attentional=states.new_zeros(rows, self.readout.out_features) if feeds else None,
            coverage=states.new_zeros(source.shape) if covers else None,
            shares=trace is None and self.shares_source,
        )

    def _first_state(self, last: Tensor) -> tuple[CellState, ...]:
        decoder = self.config.decoder
        states = CELLS[decoder.cell].states
        count = decoder.layers * states
        if self.bridge is None:
            parts = last.new_zeros(count, len(last), decoder.hidden_size).unbind(0)
        else:
            parts = self.bridge(last).tanh().chunk(count, dim=1)
        return tuple(tuple(parts[start : start + states]) for start in range(0, count, states))

    def step(
        self, tokens: Tensor, state: Seq2SeqState, *, trace: Trace | None = None
    ) -> tuple[Tensor, Seq2SeqState]:
        """Feed one token a row, (b,); the logits of the next, (b, v), and the state after it."""
        words = scaled(self.target_embedding, tokens)[:, None]
        trail, after = self.write(words, state, trace=trace)
        return self._written(words, trail, state).logits().squeeze(1), after

    def teacher_forced(
        self, inputs: DecoderInputs, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> DecoderOutput:
        """Teacher forcing: the output at every position; a step is made for all rows of the batch."""
        state = self.start(inputs.source, inputs.lengths, rng=rng, trace=trace)
        words = self.dropout_target(scaled(self.target_embedding, inputs.fed), rng)  # (b, t, e)
        trail, _ = self.write(words, state, rng=rng, trace=trace)
        return self._written(words, trail, state)

    @abstractmethod
    def write(
        self, words: Tensor, state: Seq2SeqState, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> tuple[StepOutputs, Seq2SeqState]:
        """Decode some target words, (b, t, e): the output at each, and the state after them."""

    def read_out(self, hidden: Tensor, words: Tensor, contexts: Tensor | None) -> Tensor:
        """tanh(W [s; y; c] + b), of what this model reads, (…, d) each: (…, r)."""
        readout: Tensor = self.readout(
            self._seen(hidden, words if self.reads_word else None, contexts)
        ).tanh()
        return readout

    def _written(self, words: Tensor, trail: StepOutputs, state: Seq2SeqState) -> DecoderOutput:
        """The features of the output layer, and the copy mechanism: p = σ(w · [s; y; c] + b)."""
        copies = None
        if self.pointer is not None and trail.hidden is not None and trail.weights is not None:
            gate = self.pointer(self._seen(trail.hidden, words, trail.contexts)).squeeze(-1)
            tokens = state.source.tokens[:, None].expand_as(trail.weights)
            copies = CopyMechanism(gate, trail.weights, tokens).whole()
        return DecoderOutput(trail.readout, self.output, copies, trail.penalty)

    @staticmethod
    def _seen(hidden: Tensor, words: Tensor | None, contexts: Tensor | None) -> Tensor:
        return torch.cat([part for part in (hidden, words, contexts) if part is not None], dim=-1)


def build_attention(config: Seq2SeqConfig, attention: AttentionConfig) -> Attention:
    """The attention of a decoder over the source: its score, its window, its coverage."""
    query_size, key_size = config.decoder.hidden_size, config.encoder.output_size
    score = build_score(attention, query_size=query_size, key_size=key_size)
    window = build_window(attention, query_size=query_size)
    coverage_size = None
    if attention.coverage:  # as wide as a prepared key, which the score alone knows
        prepared = score.prepare(torch.zeros(1, 1, key_size))
        if prepared.dim() != 3 or not prepared.is_floating_point():
            raise ConfigError(
                f"coverage is added to keys of the shape (b, k, d), and those of the score {attention.score} "
                "have another"
            )
        coverage_size = prepared.shape[-1]
    return Attention(score, window, renormalise=attention.renormalise, coverage_size=coverage_size)
