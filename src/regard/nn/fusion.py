"""Deep fusion: the decoder's attention over the source enters its memory (Cheng et al. 2016, section 4)."""

import torch
from torch import Tensor, nn

from regard.nn.attention import Memory, masked_softmax
from regard.nn.linear import Linear
from regard.nn.masks import padding_mask
from regard.nn.scores import Explained
from regard.nn.shared import additive_energy, linear, shared, weighted_sum
from regard.nn.trace import AttentionInputs, Trace


class DeepFusion(nn.Module):
    """What the source adds to the memory of each step, from its hidden tape γ and its memory tape α.

    b_j = u · tanh(W_γ γ_j + W_x x_t + W_γ̃ γ̃_{t-1}), p = softmax(b), [γ̃_t; α̃_t] = Σ_j p_j [γ_j; α_j];
    r_t = σ(W_r [γ̃_t; x_t]), and r_t ⊙ α̃_t is added. It does not depend on the decoder's own state: all
    its steps can be computed before the decoder's first.
    """

    def __init__(self, *, input_size: int, hidden_size: int, attention_size: int) -> None:
        super().__init__()
        self.key = Linear(hidden_size, attention_size, bias=False)  # W_γ
        self.look = Linear(input_size, attention_size, bias=False)  # W_x
        self.summary = Linear(hidden_size, attention_size, bias=False)  # W_γ̃
        self.energy = Linear(attention_size, 1, bias=False)  # u
        self.gate = Linear(hidden_size + input_size, hidden_size)  # W_r

    def remember(self, hidden: Tensor, memory: Tensor, lengths: Tensor) -> Memory:
        """Prepare the source's tapes, (b, s, d) each, of which the first (b,) are real."""
        values = torch.cat([hidden, memory], dim=-1)
        mask = padding_mask(lengths, values.shape[1])
        return Memory(shared(self.key(hidden)), shared(values), mask, lengths)

    def forward(
        self, inputs: Tensor, source: Memory, summary: Tensor, *, position: int, trace: Trace | None
    ) -> tuple[Tensor, Tensor]:
        """What is added at some positions.

        inputs:   (b, t, input_size)
        summary:  (b, d), γ̃ of the position before
        position: that of the first in its sentence
        returns:  (b, t, d), and γ̃ of the last position
        """
        looks, weight, u = self.look(inputs), shared(self.summary.weight), self.energy.weight[0]
        mask, found = source.mask[:, None], []
        for step in range(inputs.shape[1]):
            query = (looks[:, step] + linear(summary, weight))[:, None]
            weights = masked_softmax(additive_energy(query, source.prepared, u), mask)
            if trace is not None:
                trace.step = position + step
                weights = trace.capture(
                    self, weights, AttentionInputs(query, source.prepared, source.values, mask)
                )
            found.append(weighted_sum(weights, source.values).squeeze(1))
            summary = found[-1].chunk(2, dim=1)[0]
        summaries, memories = torch.stack(found, 1).chunk(2, dim=-1)
        gate = self.gate(torch.cat([summaries, inputs], dim=-1)).sigmoid()
        return gate * memories, summary

    def explain(self, query: Tensor, keys: Tensor) -> Explained:
        """How one query, (a,), was compared with the keys of its source, (k, a)."""
        squashed, u = (query + keys).tanh(), self.energy.weight[0]
        terms = {"W_x x + W_γ̃ γ̃": query, "W_γ γ": keys, "tanh(W_γ γ + W_x x + W_γ̃ γ̃)": squashed, "u": u}
        return Explained("b_j = u · tanh(W_γ γ_j + W_x x + W_γ̃ γ̃)", terms, u * squashed)
