"""Decoders whose states depend on the words alone: the whole target runs in one fused pass."""

from dataclasses import replace

import torch
from torch import Tensor

from regard.config.model import Seq2SeqConfig
from regard.models.seq2seq import Seq2Seq, Seq2SeqState, StepOutputs
from regard.nn.dropout import DropoutRng
from regard.nn.recurrent import RecurrentDecoder
from regard.nn.trace import Trace


class FusedSeq2Seq(Seq2Seq):
    """Plain seq2seq, and Luong's attention without input feeding.

    no attention: s_i = cell([y_{i-1}; C], s_{i-1}) (Cho et al. 2014); or s_i = cell(y_{i-1}, s_{i-1}), and C
                  is the first state alone (Sutskever et al. 2014)
    attention:    s_i = cell(y_{i-1}, s_{i-1}); all c_i from all s_i in one batched attention;
                  tanh(W [s_i; c_i] + b) is read out
    """

    def __init__(self, config: Seq2SeqConfig, *, source_size: int, target_size: int) -> None:
        super().__init__(config, source_size=source_size, target_size=target_size)
        self.writer = RecurrentDecoder(
            config.decoder,
            input_size=config.embedding_size + (self.encoder.output_size if self.plain_context else 0),
            dropout=config.dropout,
        )

    def write(
        self, words: Tensor, state: Seq2SeqState, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> tuple[StepOutputs, Seq2SeqState]:
        """Decode some target words, (b, t, e), all at once."""
        source, steps = state.source, words.shape[1]
        contexts = source.summary[:, None].expand(-1, steps, -1) if self.plain_context else None
        inputs = words if contexts is None else torch.cat([words, contexts], dim=-1)
        hidden, layers = self.writer(inputs, state.layers, rng=rng)
        weights = None
        if self.attention is not None and source.memory is not None:
            if trace is not None:
                trace.step = state.position
            contexts, weights = self.attention(hidden, source.memory, position=state.position, trace=trace)
        readout = self.dropout_readout(self.read_out(hidden, words, contexts), rng)
        after = replace(state, layers=layers, top=hidden[:, -1], position=state.position + steps)
        return StepOutputs(readout, hidden, contexts, weights), after
