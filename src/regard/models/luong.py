"""Luong, Pham and Manning 2015: the current state is the query; the attentional state is the readout."""

from dataclasses import replace

import torch

from regard.config.model import Seq2SeqConfig
from regard.models.seq2seq import Seq2SeqState, StepOutputs
from regard.models.stepwise import StepInputs, StepwiseSeq2Seq
from regard.nn.dropout import DropoutRng
from regard.nn.linear import Linear
from regard.nn.shared import linear, shared
from regard.nn.trace import Trace


class LuongSeq2Seq(StepwiseSeq2Seq):
    """s_i = cell([y_{i-1}; h̃_{i-1}], s_{i-1}); c_i from s_i; h̃_i = tanh(W [s_i; c_i] + b) is the readout.

    Without input feeding s_i = cell(y_{i-1}, s_{i-1}). It is here for models with coverage alone, whose
    attention needs that of the steps before; the others run in one pass.
    """

    def __init__(self, config: Seq2SeqConfig, *, source_size: int, target_size: int) -> None:
        super().__init__(config, source_size=source_size, target_size=target_size)
        gates = self.cell.gates * self.cell.hidden_size
        self.feeding = Linear(config.readout_size, gates, bias=False) if config.decoder.feeds else None

    def decode(
        self, fed: StepInputs, state: Seq2SeqState, rng: DropoutRng | None, trace: Trace | None
    ) -> tuple[StepOutputs, Seq2SeqState]:
        """Decode some target words, (b, t, e), step by step."""
        words, entering = fed
        steps = words.shape[1]
        look, advance = self.step_attention(state, trace), self.step_function(state.top, steps, rng)
        feeding = shared(self.feeding.weight) if self.feeding is not None else None
        reading = shared(self.readout.weight)
        drop = self.dropout_readout.each_step(
            words.new_empty(len(words), self.readout.out_features), steps, rng
        )
        top, layers, attentional = state.top, state.layers, state.attentional
        hidden, readouts = [], []
        for step, projected in enumerate(entering.unbind(1)):
            if feeding is not None and attentional is not None:
                projected = projected + linear(attentional, feeding)
            top, layers = advance(projected, layers, step)
            seen = torch.cat([top, look(top)], dim=-1)
            attentional = drop((linear(seen, reading) + self.readout.bias).tanh(), step)
            hidden.append(top)
            readouts.append(attentional)
        kept = attentional if feeding is not None else None
        after = replace(
            state, layers=layers, top=top, position=look.position, attentional=kept, coverage=look.coverage
        )
        return look.trail(hidden, torch.stack(readouts, 1)), after
