"""The recurrent encoder-decoder with Bahdanau's attention (Bahdanau, Cho and Bengio 2015)."""

from dataclasses import dataclass
from types import MappingProxyType

import torch
from torch import Tensor, nn

from regard.config.model import Seq2SeqConfig
from regard.nn.attention import Attention, Memory
from regard.nn.cells import CELLS, Cell, CellState
from regard.nn.kinds import Site
from regard.nn.masks import padding_mask
from regard.nn.noise import Dropout, Noise
from regard.nn.recurrent import Recurrent
from regard.nn.scores import AdditiveScore
from regard.nn.trace import Trace


@dataclass(frozen=True, slots=True)
class Seq2SeqState:
    """The decoder's state after some target words: the cell's, and the source sentence it looks at."""

    cell: CellState
    """(b, d) each."""
    memory: Memory
    examples: Tensor
    """(b,) the source sentence of each row; while it stays, a re-ordering need not copy the memory."""

    def select(self, rows: Tensor) -> "Seq2SeqState":
        """The state of these rows, in this order."""
        examples = self.examples[rows]
        same = torch.equal(examples, self.examples)
        memory = self.memory if same else self.memory.select(rows)
        return Seq2SeqState(tuple(part[rows] for part in self.cell), memory, examples)


class Seq2Seq(nn.Module):
    """A recurrent encoder-decoder with attention, its parts passed in.

    c_i = Σ_j α_ij h_j with α asked by the previous state s_{i-1};
    s_i = cell([y_{i-1}; c_i], s_{i-1}); the output layer sees [s_i; y_{i-1}; c_i].
    """

    source_rows = ("source_embedding.weight",)
    target_rows = ("target_embedding.weight", "output.weight", "output.bias")
    cross_attention = ("attention",)
    attentions = MappingProxyType({"attention": Site("cross")})

    def __init__(
        self,
        *,
        source_embedding: nn.Embedding,
        target_embedding: nn.Embedding,
        encoder: Recurrent,
        attention: Attention,
        cell: Cell,
        output: nn.Linear,
        dropout: float,
    ) -> None:
        super().__init__()
        width, embedding_size = cell.hidden_size, target_embedding.embedding_dim
        self.source_embedding = source_embedding
        self.target_embedding = target_embedding
        self.encoder = encoder
        self.bridge = nn.Linear(encoder.output_size, cell.states * width)
        self.attention = attention
        self.cell = cell
        self.context = nn.Linear(encoder.output_size, cell.gates * width, bias=False)
        self.readout = nn.Linear(width + embedding_size + encoder.output_size, embedding_size)
        self.output = output
        self.dropout_source = Dropout(dropout)
        self.dropout_target = Dropout(dropout)
        self.dropout_memory = Dropout(dropout)
        self.dropout_readout = Dropout(dropout)

    def start(
        self, source: Tensor, lengths: Tensor, *, noise: Noise | None = None, trace: Trace | None = None
    ) -> Seq2SeqState:
        """Read the source sentences, (b, s) and (b,); s_0 = tanh(W [→h_S; ←h_1])."""
        del trace  # nothing in this encoder attends
        embedded = self.dropout_source(_scaled(self.source_embedding, source), noise)
        states, last = self.encoder(embedded, lengths, noise=noise)
        memory = self.attention.remember(
            self.dropout_memory(states, noise), padding_mask(lengths, source.shape[1])
        )
        first = self.bridge(last).tanh().chunk(self.cell.states, dim=1)
        return Seq2SeqState(first, memory, torch.arange(len(source), device=source.device))

    def step(
        self, tokens: Tensor, state: Seq2SeqState, *, trace: Trace | None = None
    ) -> tuple[Tensor, Seq2SeqState]:
        """Feed one token a row, (b,); the logits of the next, (b, v), and the state after it."""
        embedded = _scaled(self.target_embedding, tokens)
        cell, context = self._advance(self.cell.project(embedded), state.cell, state.memory, trace)
        readout = self.readout(torch.cat([cell[0], embedded, context], dim=-1)).tanh()
        logits: Tensor = self.output(readout)
        return logits, Seq2SeqState(cell, state.memory, state.examples)

    def forced(
        self,
        source: Tensor,
        lengths: Tensor,
        fed: Tensor,
        *,
        noise: Noise | None = None,
        trace: Trace | None = None,
    ) -> Tensor:
        """What the output layer sees at every position when the target words are given.

        source, lengths: (b, s) and (b,)
        fed:             (b, t), <s> and the target words
        returns:         (b, t, embedding_size); `output` turns it into the logits of the next word
        """
        state = self.start(source, lengths, noise=noise, trace=trace)
        embedded = self.dropout_target(_scaled(self.target_embedding, fed), noise)  # (b, t, e)
        projected = self.cell.project(embedded)  # (b, t, gates * d): once, not once a step
        cell, hidden, contexts = state.cell, [], []
        # unbind, not projected[:, i]: the gradient of an index is a tensor of zeros as large as the whole,
        # made anew at each step (28 % of the training time before)
        for position, inputs in enumerate(projected.unbind(1)):
            if trace is not None:
                trace.step = position
            cell, context = self._advance(inputs, cell, state.memory, trace)
            hidden.append(cell[0])
            contexts.append(context)
        seen = torch.cat([torch.stack(hidden, 1), embedded, torch.stack(contexts, 1)], dim=-1)
        features: Tensor = self.dropout_readout(self.readout(seen).tanh(), noise)
        return features

    def _advance(
        self, projected: Tensor, cell: CellState, memory: Memory, trace: Trace | None
    ) -> tuple[CellState, Tensor]:
        """One step: look with s_{i-1}, then move the cell on. Gives the cell's state and the context."""
        context = self.attention(cell[0][:, None], memory, trace=trace).squeeze(1)
        return self.cell(projected + self.context(context), cell), context


def build_seq2seq(config: Seq2SeqConfig, *, source_size: int, target_size: int) -> Seq2Seq:
    """Make the parts that the config names, for vocabularies of these sizes."""
    width = config.embedding_size
    encoder = Recurrent(
        config.encoder.cell,
        input_size=width,
        hidden_size=config.encoder.hidden_size,
        layers=config.encoder.layers,
        bidirectional=config.encoder.bidirectional,
        dropout=config.dropout,
    )
    score = AdditiveScore(
        query_size=config.decoder.hidden_size,
        key_size=encoder.output_size,
        hidden_size=config.attention.hidden_size,
    )
    source_embedding = _embedding(source_size, width)
    target_embedding = _embedding(target_size, width)
    output = nn.Linear(width, target_size)
    if config.tie_embeddings:
        output.weight = target_embedding.weight
    nn.init.zeros_(output.bias)
    return Seq2Seq(
        source_embedding=source_embedding,
        target_embedding=target_embedding,
        encoder=encoder,
        attention=Attention(score),
        cell=CELLS[config.decoder.cell](input_size=width, hidden_size=config.decoder.hidden_size),
        output=output,
        dropout=config.dropout,
    )


def _scaled(embedding: nn.Embedding, tokens: Tensor) -> Tensor:
    """Word vectors of unit size: the weights are small, so that the output layer can share them."""
    vectors: Tensor = embedding(tokens) * embedding.embedding_dim**0.5
    return vectors


def _embedding(size: int, width: int) -> nn.Embedding:
    embedding = nn.Embedding(size, width)
    nn.init.normal_(embedding.weight, std=width**-0.5)
    return embedding
