"""What a search, and training, need of a model that writes; and nothing more."""

from collections.abc import Mapping
from typing import Protocol, Self, TypeVar, runtime_checkable

from torch import Tensor

from regard.nn.kinds import Site
from regard.nn.noise import Noise
from regard.nn.trace import Trace
from regard.nn.written import Positions


class State(Protocol):
    """Where a decoder stands, for each row of a batch. It is never changed in place, unless it is taken."""

    def select(self, rows: Tensor) -> Self:
        """The state of these rows, in this order; a row may come twice, or not at all."""
        ...


@runtime_checkable
class Reusable(State, Protocol):
    """A state whose memory can serve again."""

    def take(self, rows: Tensor) -> Self:
        """What `select` gives, with less work: this state is used up, and all that share its memory."""
        ...


S = TypeVar("S", bound=State)


def take(state: S, rows: Tensor) -> S:
    """The state of these rows, for whoever holds the only one, and goes on from there alone."""
    return state.take(rows) if isinstance(state, Reusable) else state.select(rows)


class Decoder(Protocol[S]):
    """Anything that writes one token at a time."""

    def start(self, source: Tensor, lengths: Tensor, *, trace: Trace | None = None) -> S:
        """Read the source sentences, (b, s) and (b,)."""
        ...

    def step(self, tokens: Tensor, state: S, *, trace: Trace | None = None) -> tuple[Tensor, S]:
        """Feed one token a row, (b,); the logits of the next, (b, v), and the state after it."""
        ...


class EncoderDecoder(Decoder[S], Protocol[S]):
    """A decoder that can also be shown a whole target sentence at once."""

    source_rows: tuple[str, ...]
    """Names of the parameters that have a row for each entry of the source vocabulary."""
    target_rows: tuple[str, ...]
    """The same for the target vocabulary; a tensor that is shared goes by any of its names."""

    @property
    def cross_attention(self) -> tuple[str, ...]:
        """Dotted paths of the attentions over the source words; none where there is no such thing."""
        ...

    @property
    def attentions(self) -> Mapping[str, Site]:
        """Every attention by its dotted path, those of `cross_attention` among them; lower layers first."""
        ...

    @property
    def longest(self) -> int | None:
        """How many tokens it can read, or write; None where there is no such limit."""
        ...

    def forced(
        self,
        source: Tensor,
        lengths: Tensor,
        fed: Tensor,
        *,
        real: Tensor | None = None,
        noise: Noise | None = None,
        trace: Trace | None = None,
    ) -> Positions:
        """What is said about every position, (b, t), when <s> and the target words are fed, (b, t).

        real: (b, t), True for positions that count; a model may leave out its work on the others
        """
        ...
