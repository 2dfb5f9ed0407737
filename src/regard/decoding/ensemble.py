"""Ensembles: several models as one decoder, the mean of their probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from regard.nn.attention_kinds import AttentionSpec
from regard.nn.decoder import DecoderInputs, EncoderDecoder, OutputPositions, reorder
from regard.nn.dropout import DropoutRng
from regard.nn.trace import Trace


@dataclass(frozen=True, slots=True)
class EnsembleState:
    """The state of each member."""

    members: tuple[Any, ...]

    def select(self, rows: Tensor) -> "EnsembleState":
        """The state of these rows, in this order."""
        return EnsembleState(tuple(state.select(rows) for state in self.members))

    def take(self, rows: Tensor) -> "EnsembleState":
        """The same in place; this one must not be used again."""
        return EnsembleState(tuple(reorder(state, rows) for state in self.members))


class EnsembleDecoder(nn.Module):
    """Models with one vocabulary behind the interface of one decoder."""

    def __init__(self, members: Sequence[nn.Module]) -> None:
        super().__init__()
        self.members = nn.ModuleList(members)
        self._decoders: list[EncoderDecoder[Any]] = list(members)  # type: ignore[arg-type]

    @property
    def cross_attention(self) -> tuple[str, ...]:
        """The members' attentions over the source; none if one of them has none."""
        own = [member.cross_attention for member in self._decoders]
        if not all(own):
            return ()
        return tuple(f"members.{number}.{path}" for number, paths in enumerate(own) for path in paths)

    @property
    def attentions(self) -> dict[str, AttentionSpec]:
        """All attentions of all members."""
        return {
            f"members.{number}.{path}": site
            for number, member in enumerate(self._decoders)
            for path, site in member.attentions.items()
        }

    @property
    def longest(self) -> int | None:
        """That of the member with the least."""
        return min((own for m in self._decoders if (own := m.longest) is not None), default=None)

    def start(self, source: Tensor, lengths: Tensor, *, trace: Trace | None = None) -> EnsembleState:
        """Encode the source sentences, (b, s) and (b,): the initial state."""
        return EnsembleState(tuple(m.start(source, lengths, trace=trace) for m in self._decoders))

    def step(
        self, tokens: Tensor, state: EnsembleState, *, trace: Trace | None = None
    ) -> tuple[Tensor, EnsembleState]:
        """Feed one token a row, (b,); the logits of the next, (b, v), and the state after it."""
        pairs = zip(self._decoders, state.members, strict=True)
        steps = [member.step(tokens, own, trace=trace) for member, own in pairs]
        after = EnsembleState(tuple(own for _, own in steps))
        return mean_of_probabilities([logits for logits, _ in steps]), after

    def teacher_forced(
        self, inputs: DecoderInputs, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> "EnsemblePositions":
        """Teacher forcing: the output of each member at every position."""
        said = []
        for member in self._decoders:
            if trace is not None:
                trace.step = 0  # the member before it has decoded to the end
            said.append(member.teacher_forced(inputs, rng=rng, trace=trace))
        return EnsemblePositions(tuple(said))


@dataclass(frozen=True, slots=True)
class EnsemblePositions:
    """The output of each member at some target positions."""

    members: tuple[OutputPositions, ...]

    def at(self, which: Tensor | slice) -> "EnsemblePositions":
        """The positions that are True, (n, …); or a slice of the first axis."""
        return EnsemblePositions(tuple(member.at(which) for member in self.members))

    def logits(self) -> Tensor:
        """The mean of the members' probabilities, as logits, (…, v)."""
        return mean_of_probabilities([member.logits() for member in self.members])


def mean_of_probabilities(logits: Sequence[Tensor]) -> Tensor:
    """Logits whose softmax is the mean of the softmaxes, (…, v) each, all finite.

    They are the first's, shifted by log mean exp of how the others differ from it: models that agree in every
    bit give their own logits in every bit.
    """
    first, *others = logits
    if not others:
        return first
    own = first.log_softmax(dim=-1)
    differences = torch.stack([torch.zeros_like(own), *(other.log_softmax(-1) - own for other in others)])
    largest = differences.amax(dim=0)
    return first + largest + (differences - largest).exp().mean(dim=0).log()
