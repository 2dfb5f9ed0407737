"""The loop of an LSTMN layer over the positions of a sentence, with its gradient written out.

What a position adds to the tape is attended to by all later ones. Left to autograd, each of them would make a
gradient as long as the tape, to be added to the one before, and a small product for each weight. Here a
position collects from the later ones what it needs, and the gradient of each weight is one product.
"""

from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from regard.nn.attention import masked_softmax
from regard.nn.cells import lstm_gradient, lstm_update


class Inputs(NamedTuple):
    """What does not depend on the state, for all positions."""

    gates: Tensor
    """(b, t, 4d), W_x x + b of the gates."""
    looks: Tensor
    """(b, t, a), W_x x of the score."""
    added: Tensor | None
    """(b, t, d), a third summand of each memory."""


class Weights(NamedTuple):
    """What every step reads."""

    gates: Tensor
    """(4d, d), from the summary h̃_t to the gates."""
    summary: Tensor
    """(a, d), W_h̃ of the score, from the summary before."""
    key: Tensor
    """(a, d), W_h of the score."""
    energy: Tensor
    """(a,), v of the score."""


class _Saved(NamedTuple):
    """What the gradient needs of each step."""

    weights: Tensor
    """(b, t, n), the attention; 0 from the own position on."""
    found: Tensor
    """(b, t, 2d), [h̃; c̃]."""
    gates: Tensor
    """(b, t, 4d)."""
    shown: Tensor
    """(b, t, d), tanh of the memory."""

    @classmethod
    def empty(cls, gates: Tensor, positions: int) -> "_Saved":
        rows, steps, size = gates.shape[0], gates.shape[1], gates.shape[2] // 4
        return cls(
            gates.new_zeros(rows, steps, positions),
            gates.new_empty(rows, steps, 2 * size),
            torch.empty_like(gates),
            gates.new_empty(rows, steps, size),
        )


def run_intra_attention(
    tape: Tensor, summary: Tensor, inputs: Inputs, weights: Weights
) -> tuple[Tensor, Tensor]:
    """Run over more positions, with gradients.

    tape:    (b, n, 2d + a), [h; c; W_h h] of the positions before
    summary: (b, d), h̃ of the last of them
    returns: the tape with the new positions, (b, n + t, 2d + a), and the summary of the last
    """
    after: tuple[Tensor, Tensor] = _IntraAttention.apply(tape, summary, *inputs, *weights)  # type: ignore[no-untyped-call]
    return after


def decode_intra_attention(
    tape: Tensor, before: int, summary: Tensor, inputs: Inputs, weights: Weights
) -> Tensor:
    """The same in place, without gradients, from position `before` on. Returns the summary."""
    return _run(tape, before, summary, inputs, weights, None, None)


def _run(
    tape: Tensor,
    before: int,
    summary: Tensor,
    inputs: Inputs,
    weights: Weights,
    kept: _Saved | None,
    squashed: list[Tensor] | None,
) -> Tensor:
    size = summary.shape[1]
    values, keys = tape[..., : 2 * size], tape[..., 2 * size :]
    of_summary = torch.cat([weights.gates, weights.summary]).t()
    asked = summary @ weights.summary.t()
    for step in range(inputs.gates.shape[1]):
        place = before + step
        query = inputs.looks[:, step] + asked
        compared = (query[:, None] + keys[:, :place]).tanh_()
        attention = masked_softmax(compared @ weights.energy, None)
        found = torch.bmm(attention[:, None], values[:, :place]).squeeze(1)
        summary, memory = found.chunk(2, dim=1)
        made = summary @ of_summary
        gates, asked = made[:, : 4 * size] + inputs.gates[:, step], made[:, 4 * size :]
        added = None if inputs.added is None else inputs.added[:, step]
        hidden, memory, shown = lstm_update(gates, memory, added)
        tape[:, place, :size], tape[:, place, size : 2 * size] = hidden, memory
        keys[:, place] = hidden @ weights.key.t()
        if kept is not None and squashed is not None:
            squashed.append(compared)
            kept.weights[:, step, :place], kept.found[:, step] = attention, found
            kept.gates[:, step], kept.shown[:, step] = gates, shown
    return summary


class _IntraAttention(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, tape: Tensor, summary: Tensor, *parts: Any) -> tuple[Tensor, Tensor]:
        inputs, weights = Inputs(*parts[:3]), Weights(*parts[3:])
        rows, before, width = tape.shape
        positions = before + inputs.gates.shape[1]
        longer = tape.new_empty(rows, positions, width)
        longer[:, :before] = tape
        kept, squashed = _Saved.empty(inputs.gates, positions), list[Tensor]()
        last = _run(longer, before, summary, inputs, weights, kept, squashed)
        ctx.before = before
        ctx.save_for_backward(longer, summary, *weights, *kept, *squashed)
        return longer, last.clone()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_tape: Tensor, d_last: Tensor) -> tuple[Tensor | None, ...]:
        tape, first_summary, *rest = ctx.saved_tensors
        weights, kept, squashed = Weights(*rest[:4]), _Saved(*rest[4:8]), rest[8:]
        before, size = ctx.before, first_summary.shape[1]
        rows, steps, wide = kept.gates.shape
        values, v = tape[..., : 2 * size], weights.energy
        d_values, d_keys = d_tape[..., : 2 * size], d_tape[..., 2 * size :]
        of_summary = torch.cat([weights.gates, weights.summary])
        # Of v · tanh(q + k), d / d k = v (1 - tanh²): what is given, and what tanh² takes of it, without v.
        given, lost = tape.new_zeros(tape.shape[:2]), torch.zeros_like(d_keys)
        d_found, d_sum = torch.empty_like(kept.found), torch.empty_like(kept.shown)
        d_made = tape.new_zeros(rows, steps, len(of_summary))  # what was made of a summary: gates, next query
        d_key = tape.new_empty(rows, steps, len(v))
        d_query, d_energy = torch.empty_like(d_key), torch.zeros_like(v)
        for step in reversed(range(steps)):
            place = before + step
            later = kept.weights[:, step + 1 :, place]
            d_value = d_values[:, place] + torch.bmm(later[:, None], d_found[:, step + 1 :]).squeeze(1)
            d_key[:, step] = d_keys[:, place] + v * (given[:, place, None] - lost[:, place])
            d_hidden = torch.addmm(d_value[:, :size], d_key[:, step], weights.key)
            gates, memory = kept.gates[:, step], kept.found[:, step, size:]
            d_made[:, step, :wide], d_sum[:, step] = lstm_gradient(
                gates, memory, kept.shown[:, step], d_hidden, d_value[:, size:]
            )
            d_summary = d_made[:, step] @ of_summary
            d_found[:, step, :size] = d_summary + d_last if step == steps - 1 else d_summary
            d_found[:, step, size:] = d_sum[:, step] * gates[:, size : 2 * size]
            attention, compared = kept.weights[:, step, :place], squashed[step]
            d_attention = torch.bmm(values[:, :place], d_found[:, step, :, None]).squeeze(2)
            d_score = attention * (d_attention - (attention * d_attention).sum(1, keepdim=True))
            d_energy.addmv_(compared.flatten(0, 1).t(), d_score.flatten())
            squares = compared * compared
            taken = torch.bmm(d_score[:, None], squares).squeeze(1)
            d_query[:, step] = v * (d_score.sum(1, keepdim=True) - taken)
            given[:, :place] += d_score
            lost[:, :place].addcmul_(squares, d_score[..., None])
            if step:
                d_made[:, step - 1, wide:] = d_query[:, step]
        d_before = d_tape[:, :before].clone()
        d_before[..., : 2 * size] += kept.weights[..., :before].mT @ d_found
        d_before[..., 2 * size :] += v * (given[:, :before, None] - lost[:, :before])
        d_of_summary = d_made.flatten(0, 1).t() @ kept.found[..., :size].flatten(0, 1)
        return (
            d_before,
            d_query[:, 0] @ weights.summary,
            d_made[..., :wide],
            d_query,
            d_sum if ctx.needs_input_grad[4] else None,
            d_of_summary[:wide],
            d_of_summary[wide:] + d_query[:, 0].t() @ first_summary,
            d_key.flatten(0, 1).t() @ tape[:, before:, :size].flatten(0, 1),
            d_energy,
        )
