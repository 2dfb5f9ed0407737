"""The settings of the encoder-decoder of two LSTMNs."""

from typing import Literal

from pydantic import Field

from regard.config.base import Size
from regard.config.family import FamilyConfig


class LSTMNConfig(FamilyConfig):
    """Two LSTMNs (Cheng et al. 2016), encoder and decoder; each attends to all its past states."""

    kind: Literal["lstmn"] = "lstmn"
    embedding_size: Size = 256
    """Width of a word vector."""
    hidden_size: Size = 256
    """Width of a layer's state, on both sides."""
    layers: Size = 1
    """Layers of each, one upon the other."""
    residual: bool = False
    """Add what a layer reads to what it gives, from the second layer on (Wu et al. 2016)."""
    attention_size: Size | None = None
    """Width of each comparison of words; by default that of a state."""
    fusion: Literal["shallow", "deep"] = "deep"
    """How the writer gets at the source: a usual attention from its highest states, tanh(W [s; c]); or in
    every layer, where what is found in the source enters the memory of the step."""
    tie_embeddings: bool = True
    """Score output words with the target word vectors (Press and Wolf 2017)."""
    share_embeddings: bool = False
    """Source and target words have the same vectors; needs `text.joint: true`."""
    dropout: float = Field(default=0.3, ge=0.0, le=0.98)
    """Share of values hidden in training, in steps of 1/256: of word vectors, between layers, and before the
    output."""

    @property
    def is_parallel(self) -> bool:
        """A recurrent network goes from step to step."""
        return False

    @property
    def needs_one_vocabulary(self) -> str | None:
        """The setting that asks for the same vocabulary on both sides, if there is one."""
        return "share_embeddings" if self.share_embeddings else None
