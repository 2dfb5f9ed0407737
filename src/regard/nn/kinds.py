"""What an attention of a model is for. Free of torch, for those who only read about it."""

from dataclasses import dataclass
from typing import Literal

AttentionKind = Literal["cross", "encoder-self", "decoder-self", "hops", "memory"]
"""Who asks, and what is looked at: a writer at the source; the source at itself; what was written at itself;
learned questions at the source (Lin et al. 2017); a reader at what it has read (Cheng et al. 2016)."""

LOOKS_AT_SOURCE: tuple[AttentionKind, ...] = ("cross", "encoder-self", "hops", "memory")
"""Kinds whose columns are source words."""
LOOKS_BACK: tuple[AttentionKind, ...] = ("decoder-self",)
"""Kinds whose columns are what was written, <s> first."""


TEXTS = ("first", "second")
"""What the two texts of a pair are called: the paths of a part that reads both begin so, a path for each."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where in a model an attention is."""

    kind: AttentionKind
    layer: int | None = None
    """Counted from 0; None where there are no layers to tell apart."""
    text: int = 0
    """Of a model that reads two texts: which of them it looks at, counted from 0."""
