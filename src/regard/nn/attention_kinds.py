"""The kinds of attention in a model. Does not import torch."""

from dataclasses import dataclass
from typing import Literal

AttentionKind = Literal["cross", "encoder-self", "decoder-self", "hops", "memory"]
"""Cross-attention; self-attention of an encoder; self-attention of a decoder; learned queries over the source
(Lin et al. 2017); intra-attention of an LSTMN encoder over the words before (Cheng et al. 2016)."""

SOURCE_KINDS: tuple[AttentionKind, ...] = ("cross", "encoder-self", "hops", "memory")
"""Kinds whose keys are source words."""
TARGET_KINDS: tuple[AttentionKind, ...] = ("decoder-self",)
"""Kinds whose keys are target words, <s> first."""


TEXTS = ("first", "second")
"""The names of the two texts of a pair: where one module encodes both, its path gets this prefix."""


@dataclass(frozen=True, slots=True)
class AttentionSpec:
    """What an attention of a model is."""

    kind: AttentionKind
    layer: int | None = None
    """Counted from 0; None where there are no layers."""
    text: int = 0
    """For pairs of texts: which of them is attended to, counted from 0."""
