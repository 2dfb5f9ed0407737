"""The long short-term memory-network (Cheng et al. 2016): an LSTM with attention over all its past states."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional

from regard.config.model import LSTMNConfig
from regard.config.sentence import LSTMNEncoderConfig
from regard.errors import ShapeError
from regard.nn.attention import Memory, masked_softmax
from regard.nn.cache import StepBuffer
from regard.nn.cells import lstm_step
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.fusion import DeepFusion
from regard.nn.intra_attention import Inputs, Weights, decode_intra_attention, run_intra_attention
from regard.nn.linear import Linear, linear
from regard.nn.scores import Explained
from regard.nn.shared import additive_energy
from regard.nn.trace import AttentionInputs, Trace

if TYPE_CHECKING:  # a translator needs no settings of language models
    from regard.config.language import LSTMNLMConfig


@dataclass(frozen=True, slots=True)
class LayerState:
    """The state of one layer."""

    tape: StepBuffer
    """[h; c; W_h h] of each position so far, (b, n, 2d + a)."""
    summary: Tensor
    """(b, d), h̃ of the last position."""
    source_summary: Tensor
    """(b, d), γ̃ of the last position; 0 without deep fusion."""

    @property
    def hidden(self) -> Tensor:
        """The hidden tape, (b, n, d)."""
        return self.tape.written[..., : self.summary.shape[1]]

    @property
    def memory(self) -> Tensor:
        """The memory tape, (b, n, d)."""
        size = self.summary.shape[1]
        return self.tape.written[..., size : 2 * size]

    def select(self, rows: Tensor) -> "LayerState":
        """The state of these rows, in this order."""
        return LayerState(self.tape.select(rows), self.summary[rows], self.source_summary[rows])


@dataclass(frozen=True, slots=True)
class LSTMNState:
    """The state of an encoder or decoder: the tapes of each layer. It is never changed in place."""

    layers: tuple[LayerState, ...]

    @property
    def position(self) -> int:
        """How many positions have been fed."""
        return self.layers[0].tape.size

    def select(self, rows: Tensor) -> "LSTMNState":
        """The state of these rows, in this order; a row may come twice, or not at all."""
        return LSTMNState(tuple(layer.select(rows) for layer in self.layers))


class LSTMNLayer(nn.Module):
    """An LSTM whose last state is replaced by a summary of all states so far.

    a_i = v · tanh(W_h h_i + W_x x_t + W_h̃ h̃_{t-1}), s = softmax(a) over i < t;
    [h̃_t; c̃_t] = Σ_i s_i [h_i; c_i], which is 0 at the first position;
    i, f, o = σ(W [h̃_t; x_t] + b), ĉ = tanh(W [h̃_t; x_t] + b); c_t = f ⊙ c̃_t + i ⊙ ĉ, h_t = o ⊙ tanh(c_t).
    """

    def __init__(self, *, input_size: int, hidden_size: int, attention_size: int) -> None:
        super().__init__()
        self.hidden_size, self.attention_size = hidden_size, attention_size
        self.input = Linear(input_size, 4 * hidden_size)  # of the gates i, f, o, ĉ: W_x, b
        self.hidden = Linear(hidden_size, 4 * hidden_size, bias=False)  # of the gates: W_h̃
        self.key = Linear(hidden_size, attention_size, bias=False)  # of the score: W_h
        self.look = Linear(input_size, attention_size, bias=False)  # of the score: W_x
        self.summary = Linear(hidden_size, attention_size, bias=False)  # of the score: W_h̃
        self.energy = Linear(attention_size, 1, bias=False)  # v

    def start(self, rows: int) -> LayerState:
        """Nothing read yet."""
        like = self.hidden.weight
        zeros = like.new_zeros(rows, self.hidden_size)
        return LayerState(
            StepBuffer.empty(like, rows, 2 * self.hidden_size + self.attention_size), zeros, zeros
        )

    def forward(
        self, inputs: Tensor, state: LayerState, *, added: Tensor | None = None, trace: Trace | None = None
    ) -> tuple[Tensor, StepBuffer, Tensor]:
        """Run over more positions.

        inputs:  (b, t, input_size)
        added:   (b, t, d), a third summand of c_t, as deep fusion has it
        returns: h, (b, t, d), the tape after it, and h̃ of the last position
        """
        given = Inputs(self.input(inputs), self.look(inputs), added)
        weights = Weights(self.hidden.weight, self.summary.weight, self.key.weight, self.energy.weight[0])
        before = state.tape.size
        if trace is not None:
            tape, summary = self._look(given, weights, state, trace)
        elif torch.is_grad_enabled():
            written, summary = run_intra_attention(state.tape.written, state.summary, given, weights)
            tape = StepBuffer.of(written)
        else:
            memory, tape = state.tape.room(inputs.shape[1])
            summary = decode_intra_attention(memory, before, state.summary, given, weights)
        return tape.written[:, before:, : self.hidden_size], tape, summary

    def _look(
        self, given: Inputs, weights: Weights, state: LayerState, trace: Trace
    ) -> tuple[StepBuffer, Tensor]:
        """The same with a trace, in plain steps, since an edit changes all that comes after it."""
        tape, summary, size = state.tape.written, state.summary, self.hidden_size
        before, steps = tape.shape[1], given.gates.shape[1]
        positions = torch.arange(before + steps, device=tape.device)
        for step in range(steps):
            place = before + step
            query = (given.looks[:, step] + linear(summary, weights.summary))[:, None]
            energy = additive_energy(query, tape[..., 2 * size :], weights.energy)
            room = (0, before + steps - place)  # a row has all positions, 0 where it does not attend
            attention = functional.pad(masked_softmax(energy, None), room)
            values, keys = functional.pad(tape, (0, 0, *room)).tensor_split([2 * size], dim=-1)
            trace.step = place
            attention = trace.capture(
                self, attention, AttentionInputs(query, keys, values, positions < place)
            )
            found = (attention @ values).squeeze(1)
            summary, memory = found.chunk(2, dim=1)
            hidden, memory = lstm_step(
                given.gates[:, step],
                linear(summary, weights.gates),
                memory,
                None if given.added is None else given.added[:, step],
            )
            own = torch.cat([hidden, memory, linear(hidden, weights.key)], dim=1)
            tape = torch.cat([tape, own[:, None]], dim=1)
        return StepBuffer.of(tape), summary

    def explain(self, query: Tensor, keys: Tensor) -> Explained:
        """How one query, (a,), was compared with the keys of the positions before, (k, a)."""
        squashed, v = (query + keys).tanh(), self.energy.weight[0]
        terms = {"W_x x + W_h̃ h̃": query, "W_h h": keys, "tanh(W_h h + W_x x + W_h̃ h̃)": squashed, "v": v}
        return Explained("a_i = v · tanh(W_h h_i + W_x x + W_h̃ h̃)", terms, v * squashed)


class LSTMN(nn.Module):
    """A stack of LSTMN layers; with deep fusion, each attends to a source too.

    It runs forwards only, so padding comes after every real word and changes none of them. In a trace,
    `layers.0` and so on are the intra-attention, a row for each position, (b, 1, n) a step, where the own
    position and later ones have 0; `fusions.0` and so on are the attention over the source.
    """

    def __init__(
        self,
        config: "LSTMNConfig | LSTMNEncoderConfig | LSTMNLMConfig",
        *,
        input_size: int,
        dropout: float = 0.0,
        deep_fusion: bool = False,
    ) -> None:
        super().__init__()
        hidden_size = config.hidden_size
        self.output_size, self.residual = hidden_size, config.residual
        attention = config.attention_size or hidden_size
        sizes = [input_size] + [hidden_size] * (config.layers - 1)
        self.layers = nn.ModuleList(
            LSTMNLayer(input_size=size, hidden_size=hidden_size, attention_size=attention) for size in sizes
        )
        self.fusions = nn.ModuleList(
            DeepFusion(input_size=size, hidden_size=hidden_size, attention_size=attention)
            for size in (sizes if deep_fusion else ())
        )
        self.dropout = Dropout(dropout)

    def start(self, rows: int) -> LSTMNState:
        """The initial state of `rows` sentences."""
        layers: list[LSTMNLayer] = list(self.layers)  # type: ignore[arg-type]
        return LSTMNState(tuple(layer.start(rows) for layer in layers))

    def remember(self, source: LSTMNState, lengths: Tensor) -> tuple[Memory, ...]:
        """Prepare the states of an encoder of as many layers, (b,) words of it, for deep fusion."""
        fusions: list[DeepFusion] = list(self.fusions)  # type: ignore[arg-type]
        if len(source.layers) != len(fusions):
            raise ShapeError(f"expected a source of {len(fusions)} layers, found {len(source.layers)}")
        return tuple(
            fusion.remember(layer.hidden, layer.memory, lengths)
            for fusion, layer in zip(fusions, source.layers, strict=True)
        )

    def forward(
        self,
        inputs: Tensor,
        state: LSTMNState | None = None,
        *,
        sources: Sequence[Memory] = (),
        rng: DropoutRng | None = None,
        trace: Trace | None = None,
    ) -> tuple[Tensor, LSTMNState]:
        """Run over a whole sentence, or some more positions of it.

        inputs:  (b, t, input_size)
        sources: from `remember`, one a layer
        returns: the highest layer's states, (b, t, d), and the state after the last position
        """
        state = self.start(len(inputs)) if state is None else state
        if len(sources) != len(self.fusions):
            raise ShapeError(f"expected {len(self.fusions)} sources to attend to, found {len(sources)}")
        position, told, states, after = state.position, trace.step if trace is not None else 0, inputs, []
        for number, (layer, before) in enumerate(zip(self.layers, state.layers, strict=True)):
            below = states
            if number:
                states = self.dropout(states, rng)
            added, source_summary = None, before.source_summary
            if sources:
                added, source_summary = self.fusions[number](
                    states, sources[number], source_summary, position=position, trace=trace
                )
            states, tape, summary = layer(states, before, added=added, trace=trace)
            after.append(LayerState(tape, summary, source_summary))
            if number and self.residual:
                states = states + below
        if trace is not None:
            trace.step = told
        return states, LSTMNState(tuple(after))


class LSTMNEncoder(LSTMN):
    """An LSTMN as a sentence encoder: each word attends to the states of those before it."""

    def encode(
        self, inputs: Tensor, lengths: Tensor, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> tuple[Tensor, Tensor]:
        """Encode a padded batch.

        inputs:  (b, s, input_size)
        lengths: (b,)
        returns: the states, (b, s, d), and that of each sentence's last word, (b, d)
        """
        states, _ = self(inputs, rng=rng, trace=trace)
        return states, states[torch.arange(len(lengths), device=lengths.device), lengths - 1]
