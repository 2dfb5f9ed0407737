"""Texts in tokens, as models that embed read them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from regard.inference.interventions import SentenceEdits
from regard.insight.token_axis import TokenAxis

TooLong = Literal["cut", "windows", "refuse"]
"""What to do with a text of more tokens than the model reads at once: leave its end out, and say so; read it
in windows that overlap, and pool all of its words; or refuse it."""


@dataclass(frozen=True, slots=True)
class EncodedInput:
    """A text in tokens, ready to be read."""

    source: str
    """As it was given, without a prompt."""
    ids: tuple[int, ...]
    """With the symbols around it."""
    segments: tuple[int, ...] | None
    """What the model is told of them; None = nothing."""
    side: TokenAxis
    was_cut: bool = False

    @property
    def texts(self) -> tuple[str]:
        """As it was given."""
        return (self.source,)

    @property
    def sides(self) -> tuple[TokenAxis]:
        """There is one."""
        return (self.side,)

    @property
    def is_empty(self) -> bool:
        """Whether there is no token."""
        return not self.ids

    def without(self, edited: Sequence[SentenceEdits]) -> "EncodedInput":
        """The same without some of its own tokens, which are counted without symbols."""
        removed = edited[0].removed
        if not removed:
            return self
        first = len(self.side.before)
        own = [place for place in range(len(self.side.pieces)) if place not in removed]
        kept = [*range(first), *(first + place for place in own)]
        kept += range(first + len(self.side.pieces), len(self.ids))
        side = replace(
            self.side,
            pieces=tuple(self.side.pieces[place] for place in own),
            spans=tuple(self.side.spans[place] for place in own),
        )
        segments = None if self.segments is None else tuple(self.segments[place] for place in kept)
        return replace(self, ids=tuple(self.ids[place] for place in kept), segments=segments, side=side)
