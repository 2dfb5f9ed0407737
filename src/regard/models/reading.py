"""Readers that go from word to word: recurrent networks, and the LSTMN (Cheng et al. 2016)."""

from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor, nn

from regard.config.language import LSTMNLMConfig, RecurrentLMConfig
from regard.nn.cells import CELLS, CellState
from regard.nn.kinds import Site
from regard.nn.lstmn import LSTMN, LSTMNState
from regard.nn.noise import Dropout, Noise
from regard.nn.recurrent import RecurrentWriter
from regard.nn.trace import Trace


@dataclass(frozen=True, slots=True)
class RecurrentState:
    """The state of each layer, (b, d) each, the highest last."""

    layers: tuple[CellState, ...]

    def select(self, rows: Tensor) -> "RecurrentState":
        """The state of these rows, in this order."""
        return RecurrentState(tuple(tuple(part[rows] for part in layer) for layer in self.layers))


class RecurrentReader(nn.Module):
    """Layers of one cell, from a state of zeros."""

    longest: int | None = None

    def __init__(self, config: RecurrentLMConfig) -> None:
        super().__init__()
        self.output_size, self._states = config.hidden_size, CELLS[config.cell].states
        self.network = RecurrentWriter(
            config.cell,
            input_size=config.embedding_size,
            hidden_size=config.hidden_size,
            layers=config.layers,
            residual=config.residual,
            dropout=config.dropout,
        )
        self.dropout_words, self.dropout_states = Dropout(config.dropout), Dropout(config.dropout)

    @property
    def attentions(self) -> Mapping[str, Site]:
        """There is none."""
        return {}

    def start(self, rows: int) -> RecurrentState:
        """Nothing read yet."""
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
        self, words: Tensor, *, real: Tensor | None, noise: Noise | None, trace: Trace | None
    ) -> Tensor:
        """Whole texts, (b, t, e) -> (b, t, d)."""
        del real, trace  # a step is made for all rows of the batch
        words = self.dropout_words(words, noise)
        states, _ = self.network(words, self.start(len(words)).layers, noise=noise)
        dropped: Tensor = self.dropout_states(states, noise)
        return dropped


class LSTMNReader(nn.Module):
    """An LSTMN, which looks at all states it has had."""

    longest: int | None = None

    def __init__(self, config: LSTMNLMConfig) -> None:
        super().__init__()
        self.output_size = config.hidden_size
        self.network = LSTMN(
            input_size=config.embedding_size,
            hidden_size=config.hidden_size,
            attention_size=config.attention_size,
            layers=config.layers,
            residual=config.residual,
            dropout=config.dropout,
        )
        self.dropout_words, self.dropout_states = Dropout(config.dropout), Dropout(config.dropout)

    @property
    def attentions(self) -> Mapping[str, Site]:
        """The look of each layer at the words before."""
        return {f"network.layers.{n}": Site("decoder-self", n) for n in range(len(self.network.layers))}

    def start(self, rows: int) -> LSTMNState:
        """Nothing read yet."""
        return self.network.start(rows)

    def read(self, words: Tensor, state: LSTMNState, *, trace: Trace | None) -> tuple[Tensor, LSTMNState]:
        """One more word of each text, (b, e) -> (b, d)."""
        states, after = self.network(words[:, None], state, trace=trace)
        return states.squeeze(1), after

    def read_all(
        self, words: Tensor, *, real: Tensor | None, noise: Noise | None, trace: Trace | None
    ) -> Tensor:
        """Whole texts, (b, t, e) -> (b, t, d)."""
        del real  # a step is made for all rows of the batch
        states, _ = self.network(self.dropout_words(words, noise), noise=noise, trace=trace)
        dropped: Tensor = self.dropout_states(states, noise)
        return dropped
