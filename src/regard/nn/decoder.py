"""The interface of decoders: one step at a time for a search, teacher-forced for training."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar, runtime_checkable

from torch import Tensor

from regard.nn.attention_kinds import AttentionSpec
from regard.nn.decoder_output import OutputPositions
from regard.nn.dropout import DropoutRng
from regard.nn.trace import Trace


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
