"""The output of a decoder at the positions of target sentences, before the softmax."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Self

import torch
from torch import Tensor, nn
from torch.nn import functional


class OutputPositions(Protocol):
    """Target positions, in any shape, with their logits."""

    def at(self, which: Tensor | slice) -> Self:
        """Those that are True, (n, …); or a slice of the first axis."""
        ...

    def logits(self) -> Tensor:
        """(…, v), log-probabilities of the next token, up to a constant for each position."""
        ...


@dataclass(frozen=True, slots=True)
class CopyMechanism:
    """The copy mechanism of a pointer-generator (See et al. 2017)."""

    gate: Tensor
    """(…,), the logit of p_gen, the probability that a token is generated from the vocabulary."""
    weights: Tensor
    """(…, s), the attention."""
    tokens: Tensor
    """(…, s), the source tokens, as ids of the target vocabulary."""

    def whole(self) -> "CopyMechanism":
        """Where attention lacks mass, because of a window or an edit, the vocabulary gets it.

        Its probability is then p + (1 - p) · lacking, and what is copied is a distribution again.
        """
        there = self.weights.sum(-1).clamp(max=1.0)
        kept, left = self.gate.sigmoid(), (-self.gate).sigmoid()
        tiny = torch.finfo(there.dtype).tiny
        written = (kept + left * (1 - there)).clamp(min=tiny).log()
        copied = functional.logsigmoid(-self.gate) + there.clamp(min=tiny).log()
        return CopyMechanism(written - copied, self.weights / there.clamp(min=tiny)[..., None], self.tokens)

    def each(self, change: Callable[[Tensor], Tensor]) -> "CopyMechanism":
        """The same of some positions."""
        return CopyMechanism(change(self.gate), change(self.weights), change(self.tokens))

    def of(self, targets: Tensor) -> Tensor:
        """How much attention is on these tokens, (…,)."""
        return (self.weights * (self.tokens == targets[..., None])).sum(-1)

    def mixed(self, logits: Tensor) -> Tensor:
        """log(p softmax(logits) + (1 - p) Σ_j α_j [token_j = w]), (…, v), with p = σ(gate)."""
        written = functional.logsigmoid(self.gate)[..., None] + logits.log_softmax(-1)
        mass = torch.zeros_like(logits).scatter_add_(-1, self.tokens.expand(self.weights.shape), self.weights)
        copied = (
            functional.logsigmoid(-self.gate)[..., None] + mass.clamp(min=torch.finfo(mass.dtype).tiny).log()
        )
        return torch.logaddexp(written, copied)


@dataclass(frozen=True, slots=True)
class DecoderOutput:
    """The features that the output layer is applied to, and the layer."""

    features: Tensor
    """(…, d)."""
    output: nn.Linear
    copies: CopyMechanism | None = None
    penalty: Tensor | None = None
    """(…,), added to the loss at a position."""

    def at(self, which: Tensor | slice) -> "DecoderOutput":
        """The positions that are True, (n, …); or a slice of the first axis."""
        copies = self.copies.each(lambda part: part[which]) if self.copies is not None else None
        penalty = self.penalty[which] if self.penalty is not None else None
        return DecoderOutput(self.features[which], self.output, copies, penalty)

    def logits(self) -> Tensor:
        """(…, v), log-probabilities of the next token, up to a constant for each position."""
        logits: Tensor = self.output(self.features)
        return logits if self.copies is None else self.copies.mixed(logits)
