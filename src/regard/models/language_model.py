"""Language models: embeddings, a backbone (recurrent, LSTMN, Transformer), an output layer.

A language model is an encoder-decoder without an encoder. It takes a source as the others do, and ignores it:
so every search, score, trace and edit is the same code.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol

from torch import Tensor, nn

from regard.config.language import LSTMNLMConfig, NetworkLMConfig, RecurrentLMConfig, TransformerLMConfig
from regard.models.causal import CausalTransformer
from regard.models.word_embeddings import output_layer, scaled, word_embedding
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.cells import CELLS, CellState
from regard.nn.decoder import DecoderInputs, DecoderOutput, S
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.lstmn import LSTMN, LSTMNState
from regard.nn.recurrent import RecurrentDecoder
from regard.nn.trace import Trace


@dataclass(frozen=True, slots=True)
class RecurrentState:
    """The state of each layer, (b, d) each, the highest last."""

    layers: tuple[CellState, ...]

    def select(self, rows: Tensor) -> "RecurrentState":
        """The state of these rows, in this order."""
        return RecurrentState(tuple(tuple(part[rows] for part in layer) for layer in self.layers))


class RecurrentBackbone(nn.Module):
    """Layers of one cell, from a state of zeros."""

    longest: int | None = None

    def __init__(self, config: RecurrentLMConfig) -> None:
        super().__init__()
        self.output_size, self._states = config.hidden_size, CELLS[config.cell].states
        self.network = RecurrentDecoder(config, input_size=config.embedding_size, dropout=config.dropout)
        self.dropout_words, self.dropout_states = Dropout(config.dropout), Dropout(config.dropout)

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """There is none."""
        return {}

    def start(self, rows: int) -> RecurrentState:
        """The initial state."""
        zeros = next(self.network.parameters()).new_zeros(rows, self.output_size)
        return RecurrentState(((zeros,) * self._states,) * len(self.network.layers))

    def read(
        self, words: Tensor, state: RecurrentState, *, trace: Trace | None
    ) -> tuple[Tensor, RecurrentState]:
        """One more word of each text, (b, e) -> (b, d)."""
        del trace
        states, layers = self.network(words[:, None], state.layers)
        return states.squeeze(1), RecurrentState(layers)

    def read_all(
        self, words: Tensor, *, real: Tensor | None, rng: DropoutRng | None, trace: Trace | None
    ) -> Tensor:
        """Whole texts, (b, t, e) -> (b, t, d)."""
        del real, trace  # a step is made for all rows of the batch
        words = self.dropout_words(words, rng)
        states, _ = self.network(words, self.start(len(words)).layers, rng=rng)
        dropped: Tensor = self.dropout_states(states, rng)
        return dropped


class LSTMNBackbone(nn.Module):
    """An LSTMN, which attends to all its past states."""

    longest: int | None = None

    def __init__(self, config: LSTMNLMConfig) -> None:
        super().__init__()
        self.output_size = config.hidden_size
        self.network = LSTMN(config, input_size=config.embedding_size, dropout=config.dropout)
        self.dropout_words, self.dropout_states = Dropout(config.dropout), Dropout(config.dropout)

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """The attention of each layer over the words before."""
        return {
            f"network.layers.{n}": AttentionSpec("decoder-self", n) for n in range(len(self.network.layers))
        }

    def start(self, rows: int) -> LSTMNState:
        """The initial state."""
        return self.network.start(rows)

    def read(self, words: Tensor, state: LSTMNState, *, trace: Trace | None) -> tuple[Tensor, LSTMNState]:
        """One more word of each text, (b, e) -> (b, d)."""
        states, after = self.network(words[:, None], state, trace=trace)
        return states.squeeze(1), after

    def read_all(
        self, words: Tensor, *, real: Tensor | None, rng: DropoutRng | None, trace: Trace | None
    ) -> Tensor:
        """Whole texts, (b, t, e) -> (b, t, d)."""
        del real  # a step is made for all rows of the batch
        states, _ = self.network(self.dropout_words(words, rng), rng=rng, trace=trace)
        dropped: Tensor = self.dropout_states(states, rng)
        return dropped


class Backbone(Protocol[S]):
    """The backbone of a language model, between embeddings and output layer."""

    output_size: int
    """Width of a state."""

    @property
    def longest(self) -> int | None:
        """Maximum positions; None where there is no limit."""
        ...

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """Every attention by its path in the backbone, lower layers first."""
        ...

    def start(self, rows: int) -> S:
        """The initial state of `rows` texts."""
        ...

    def read(self, words: Tensor, state: S, *, trace: Trace | None) -> tuple[Tensor, S]:
        """One more word of each text, (b, e), after those of a state: its state, (b, d)."""
        ...

    def read_all(
        self, words: Tensor, *, real: Tensor | None, rng: DropoutRng | None, trace: Trace | None
    ) -> Tensor:
        """Whole texts, (b, t, e) -> (b, t, d); real: (b, t), what counts, where that is known."""
        ...


class LanguageModelNetwork(nn.Module, Generic[S]):
    """Word embeddings, a backbone, and an output layer that scores the next word."""

    source_vocab_params: tuple[str, ...] = ()
    target_vocab_params: tuple[str, ...] = ("embedding.weight", "output.weight", "output.bias")
    cross_attention: tuple[str, ...] = ()

    def __init__(self, reader: Backbone[S], *, width: int, target_size: int, tied: bool) -> None:
        super().__init__()
        self.reader = reader
        self.embedding = word_embedding(target_size, width)
        self.output = output_layer(reader.output_size, self.embedding, tied=tied)

    @property
    def longest(self) -> int | None:
        """Maximum positions."""
        return self.reader.longest

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """Those of the backbone: self-attention over what was fed."""
        return {f"reader.{path}": site for path, site in self.reader.attentions.items()}

    def start(self, source: Tensor, lengths: Tensor, *, trace: Trace | None = None) -> S:
        """The initial state; of the source, (b, s), only the number of rows is used."""
        del lengths, trace
        return self.reader.start(len(source))

    def step(self, tokens: Tensor, state: S, *, trace: Trace | None = None) -> tuple[Tensor, S]:
        """Feed one token a row, (b,); the logits of the next, (b, v), and the state after it."""
        states, after = self.reader.read(scaled(self.embedding, tokens), state, trace=trace)
        logits: Tensor = self.output(states)
        return logits, after

    def teacher_forced(
        self, inputs: DecoderInputs, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> DecoderOutput:
        """Teacher forcing: the output at every position when the words are given."""
        words = scaled(self.embedding, inputs.fed)
        states = self.reader.read_all(words, real=inputs.real, rng=rng, trace=trace)
        return DecoderOutput(states, self.output)


def build_language_model(config: NetworkLMConfig, *, target_size: int) -> LanguageModelNetwork[Any]:
    """The language model of these settings."""
    reader: Backbone[Any]
    match config:
        case RecurrentLMConfig():
            reader = RecurrentBackbone(config)
        case LSTMNLMConfig():
            reader = LSTMNBackbone(config)
        case TransformerLMConfig():
            reader = CausalTransformer(config)
    width = config.width if isinstance(config, TransformerLMConfig) else config.embedding_size
    return LanguageModelNetwork(reader, width=width, target_size=target_size, tied=config.tie_embeddings)
