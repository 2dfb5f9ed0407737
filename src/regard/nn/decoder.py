"""The interface of decoders: one step at a time for a search, or whole target sentences and their logits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar, runtime_checkable

import torch
from torch import Tensor, nn
from torch.nn import functional

from regard.nn.attention_kinds import AttentionSpec
from regard.nn.dropout import DropoutRng
from regard.nn.trace import Trace


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


class State(Protocol):
    """The state of a decoder for each row of a batch. It is never changed in place, but by `take`."""

    def select(self, rows: Tensor) -> Self:
        """The state of these rows, in this order; a row may come twice, or not at all."""
        ...


@runtime_checkable
class ReorderableState(State, Protocol):
    """A state that can be re-ordered in place."""

    def take(self, rows: Tensor) -> Self:
        """`select` in place: this state, and all that share its memory, must not be used again."""
        ...


S = TypeVar("S", bound=State)


def reorder(state: S, rows: Tensor) -> S:
    """The state of these rows, in place where that is possible, for callers that hold the only reference."""
    return state.take(rows) if isinstance(state, ReorderableState) else state.select(rows)


@dataclass(frozen=True, slots=True)
class DecoderInputs:
    """What a teacher-forced model is given: source sentences, and the target words."""

    source: Tensor
    """(b, s)."""
    lengths: Tensor
    """(b,), of the source."""
    fed: Tensor
    """(b, t), <s> and the target words."""
    real: Tensor | None = None
    """(b, t), True for positions that count; a model may skip the others."""


class Decoder(Protocol[S]):
    """Generates one token at a time."""

    def start(self, source: Tensor, lengths: Tensor, *, trace: Trace | None = None) -> S:
        """Encode the source sentences, (b, s) and (b,): the initial state."""
        ...

    def step(self, tokens: Tensor, state: S, *, trace: Trace | None = None) -> tuple[Tensor, S]:
        """Feed one token a row, (b,); the logits of the next, (b, v), and the state after it."""
        ...


class EncoderDecoder(Decoder[S], Protocol[S]):
    """A decoder that can also be run teacher-forced, over whole target sentences."""

    source_vocab_params: tuple[str, ...]
    """Names of the parameters of the size of the source vocabulary."""
    target_vocab_params: tuple[str, ...]
    """The same for the target vocabulary; a tensor that is shared goes by any of its names."""

    @property
    def cross_attention(self) -> tuple[str, ...]:
        """Dotted paths of the attentions over the source words; none for models without cross-attention."""
        ...

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """Every attention by its dotted path, those of `cross_attention` among them; lower layers first."""
        ...

    @property
    def longest(self) -> int | None:
        """Maximum positions; None where there is no limit."""
        ...

    def teacher_forced(
        self, inputs: DecoderInputs, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> OutputPositions:
        """Teacher forcing: the output at every position when the target words are given."""
        ...
