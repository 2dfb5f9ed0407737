"""Decoders that run step by step: the layers of cells, and attention in each step."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from regard.config.model import Seq2SeqConfig
from regard.models.seq2seq import Seq2Seq, Seq2SeqState, StepOutputs
from regard.models.word_embeddings import scaled
from regard.nn.attention import Attention, Memory
from regard.nn.cells import CELLS, Cell, CellState
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.trace import Trace

Layers = tuple[CellState, ...]
Advance = Callable[[Tensor, Layers, int], tuple[Tensor, Layers]]
"""What enters the lowest layer, (b, gates · d), the states before, and the number of the step; to what the
highest layer gives, (b, d), and the states after."""


class StepInputs(NamedTuple):
    """What is fed to the steps of a loop."""

    words: Tensor
    """(b, t, e)."""
    entering: Tensor
    """Their projections for the lowest layer, (b, t, gates · d)."""


class StepwiseSeq2Seq(Seq2Seq):
    """A recurrent encoder-decoder whose cells are run one step at a time."""

    def __init__(self, config: Seq2SeqConfig, *, source_size: int, target_size: int) -> None:
        super().__init__(config, source_size=source_size, target_size=target_size)
        decoder = config.decoder
        size, kind = decoder.hidden_size, CELLS[decoder.cell]
        self.cell = kind(input_size=config.embedding_size, hidden_size=size)
        self.upper = nn.ModuleList(kind(input_size=size, hidden_size=size) for _ in range(decoder.layers - 1))
        self.dropout_layers = nn.ModuleList(Dropout(config.dropout) for _ in self.upper)
        self.residual = decoder.residual
        attention = config.attention
        # A window needs the target position of a query; coverage and copies are a row's own.
        self.shares_source = not (
            attention is None or attention.window != "global" or attention.coverage or config.copy_source
        )

    def step(
        self, tokens: Tensor, state: Seq2SeqState, *, trace: Trace | None = None
    ) -> tuple[Tensor, Seq2SeqState]:
        """Feed one token a row, (b,); a word that several rows feed is embedded once.

        Of the rows of a beam search one in six feeds another word than the rest.
        """
        different, which = tokens.unique(return_inverse=True)  # type: ignore[no-untyped-call]
        vectors = scaled(self.target_embedding, different)
        words, entering = (table[which][:, None] for table in (vectors, self.cell.project(vectors)))
        trail, after = self.decode(StepInputs(words, entering), state, None, trace)
        return self._written(words, trail, state).logits().squeeze(1), after

    def write(
        self, words: Tensor, state: Seq2SeqState, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> tuple[StepOutputs, Seq2SeqState]:
        """Decode some target words, (b, t, e)."""
        return self.decode(StepInputs(words, self.cell.project(words)), state, rng, trace)

    @abstractmethod
    def decode(
        self, fed: StepInputs, state: Seq2SeqState, rng: DropoutRng | None, trace: Trace | None
    ) -> tuple[StepOutputs, Seq2SeqState]:
        """Decode some target words step by step: the output at each, and the state after them."""

    def step_function(self, like: Tensor, steps: int, rng: DropoutRng | None) -> Advance:
        """The layers for the steps of a loop; `like` is shaped as a state, (b, d)."""
        upper: list[Cell] = list(self.upper)  # type: ignore[arg-type]
        dropouts: list[Dropout] = list(self.dropout_layers)  # type: ignore[arg-type]
        lowest, higher = self.cell.steps(), [cell.steps() for cell in upper]
        drops = [dropout.each_step(like, steps, rng) for dropout in dropouts]

        def advance(inputs: Tensor, layers: Layers, step: int) -> tuple[Tensor, Layers]:
            after = [lowest(inputs, layers[0])]
            top = after[0][0]
            for cell, run, drop, before in zip(upper, higher, drops, layers[1:], strict=True):
                after.append(run(cell.project(drop(top, step)), before))
                top = after[-1][0] + top if self.residual else after[-1][0]
            return top, tuple(after)

        return advance

    def step_attention(self, state: Seq2SeqState, trace: Trace | None) -> "StepAttention":
        """The attention of the steps of a loop that continues from a state."""
        if self.attention is None or state.source.memory is None:
            raise ValueError("a step-wise decoder needs attention over the source")
        memory, rows = state.source.memory, len(state.top)
        sources = len(memory.lengths)
        if trace is not None and sources != rows:  # a trace keeps the weights of each row as its own
            each = torch.arange(sources, device=state.top.device).repeat_interleave(rows // sources)
            memory = memory.select(each)
        return StepAttention(
            self.attention,
            memory,
            state,
            trace,
            coverage_loss=self.coverage_loss,
            copies=self.pointer is not None,
        )


class StepAttention:
    """Attention, one query a step; the weights are kept for copying, and added up for coverage."""

    def __init__(
        self,
        attention: Attention,
        memory: Memory,
        state: Seq2SeqState,
        trace: Trace | None,
        *,
        coverage_loss: float,
        copies: bool,
    ) -> None:
        self._attention, self._memory, self._trace = attention, memory, trace
        self._coverage_loss, self._copies = coverage_loss, copies
        self._penalties: list[Tensor] = []
        self._contexts: list[Tensor] = []
        self._weights: list[Tensor] = []
        self.position = state.position
        self.coverage = state.coverage

    def __call__(self, query: Tensor) -> Tensor:
        """The context of the next step's query, (b, d) -> (b, c)."""
        if self._trace is not None:
            self._trace.step = self.position
        found, seen = self._attention(
            query.view(
                len(self._memory.lengths), -1, query.shape[-1]
            ),  # rows that share a source are queries of one batch row
            self._memory,
            position=self.position,
            coverage=self.coverage,
            trace=self._trace,
        )
        context: Tensor = found.flatten(0, 1)
        weights: Tensor = seen.flatten(0, 1)
        if self.coverage is not None:
            if self._coverage_loss:
                again = torch.minimum(weights, self.coverage).sum(-1)
                self._penalties.append(self._coverage_loss * again)
            self.coverage = self.coverage + weights
        self._contexts.append(context)
        self._weights.append(weights)
        self.position += 1
        return context

    @property
    def contexts(self) -> Tensor:
        """(b, t, c)."""
        return torch.stack(self._contexts, 1)

    def trail(self, hidden: Sequence[Tensor], readout: Tensor) -> StepOutputs:
        """The output of the steps, from the states of each, (b, d), and the readout of all."""
        penalty = torch.stack(self._penalties, 1) if self._penalties else None
        if not self._copies:  # nobody asks for the rest: 4 copies of (b, t, d) less
            return StepOutputs(readout, penalty=penalty)
        weights = torch.stack(self._weights, 1)
        return StepOutputs(readout, torch.stack(list(hidden), 1), self.contexts, weights, penalty)
