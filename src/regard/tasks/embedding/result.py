"""What embedding gives back: frozen."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regard.inference.result import EditEffect, Prediction
from regard.insight.record import AttentionRecord
from regard.progress import counted

Vector = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Embedding(Prediction):
    """A text, its vector, and the attention weights of the encoder."""

    source: str
    """As it was given: a prompt before it, which is read, too, does not count."""
    vector: Vector = field(repr=False)
    """(width,), read-only."""
    tokens: int
    """As many were read, symbols included."""
    was_cut: bool
    """Whether there were more than the model reads."""
    attention: AttentionRecord = field(repr=False)
    windows: int = 1
    """How many it was read in: 1 where the model read it at once."""
    notes: tuple[str, ...] = ()
    """What a user should know of it."""

    def __post_init__(self) -> None:
        self.vector.setflags(write=False)

    def in_words(self) -> str:
        """How large the vector is, and how much of the text is in it."""
        cut = ", the rest was not read" if self.was_cut else ""
        cut += f", in {self.windows:,} windows that overlap" if self.windows > 1 else ""
        length = float(np.linalg.norm(self.vector))
        numbers, tokens = counted(len(self.vector), "number"), counted(self.tokens, "token")
        return f"{numbers}, of length {length:.3f}; {tokens}{cut}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "source": self.source,
            "vector": [round(float(value), 8) for value in self.vector],
            "tokens": self.tokens,
            "cut": self.was_cut,
            "attention": self.attention.to_dict(maps=False),
            **({"notes": list(self.notes)} if self.notes else {}),
        }


@dataclass
class LongTexts:
    """How many texts were longer than a model reads at once, and the first of them; no more is held."""

    cut: int = 0
    first_cut: str = ""
    in_windows: int = 0
    first_in_windows: str = ""

    def see(self, one: Embedding) -> Embedding:
        """Count it, if it was; it is given back."""
        if one.was_cut:
            self.first_cut = self.first_cut if self.cut else one.source
            self.cut += 1
        if one.windows > 1:
            self.first_in_windows = self.first_in_windows if self.in_windows else one.source
            self.in_windows += 1
        return one


@dataclass(frozen=True)
class EmbeddingEffect(EditEffect[Embedding]):
    """A vector without an edit and with it. Both are from runs with a trace."""

    @property
    def cosine(self) -> float:
        """Between the two vectors: 1 where nothing changed."""
        one, other = (side.vector.astype(np.float64) for side in (self.before, self.after))
        length = float(np.linalg.norm(one) * np.linalg.norm(other))
        return float(one @ other) / length if length else 0.0

    def measures(self) -> dict[str, Any]:
        """The cosine of the two."""
        return {"cosine": self.cosine}

    def moved(self) -> Sequence[str]:
        """How far the vector has moved."""
        return [f"cosine of the vectors before and after: {self.cosine:.4f}"]
