"""The results of fill-mask: frozen."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from regard.inference.result import EditEffect, Prediction
from regard.insight.display import visible
from regard.insight.record import AttentionRecord
from regard.metrics.divergence import divergence
from regard.metrics.statistics import Floats


@dataclass(frozen=True)
class Candidate:
    """A candidate for a mask."""

    word: str
    """As it is written."""
    piece: str
    """The entry of the vocabulary."""
    probability: float


@dataclass(frozen=True)
class MaskedWord:
    """A masked word, and the candidates for it."""

    token: int
    """Its position among the tokens of the model, special tokens counted."""
    candidates: tuple[Candidate, ...]
    """The most probable words, best first."""
    looked_at: tuple[tuple[str, float], ...] = field(default=(), compare=False)
    """The input words, each with its attention weight from here: the mean of all layers and heads."""
    distribution: Floats = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)
    """The probability of every entry: of a text that was filled alone, or with an edit; else nothing."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        words = [
            {"word": one.word, "piece": one.piece, "probability": one.probability} for one in self.candidates
        ]
        looked = [{"word": word, "weight": weight} for word, weight in self.looked_at]
        return {"token": self.token, "words": words, "looked_at": looked}


@dataclass(frozen=True)
class FillMaskResult(Prediction):
    """A text with masked words, and the predictions for them: each as if the others stayed masked."""

    source: str
    text: str
    """With the most probable words filled in."""
    hidden: tuple[MaskedWord, ...]
    attention: AttentionRecord = field(repr=False, compare=False)
    notes: tuple[str, ...] = field(default=(), repr=False)
    """What a user should know of it."""

    def in_words(self) -> str:
        """The text, and how probable each word is."""
        best = ", ".join(
            f"{visible(one.candidates[0].word)} {one.candidates[0].probability:.1%}"
            for one in self.hidden
            if one.candidates
        )
        return f"{visible(self.text)} ({best})" if best else "(nothing hidden)"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "source": self.source,
            "text": self.text,
            "hidden": [one.to_dict() for one in self.hidden],
            "attention": self.attention.to_dict(maps=False),
            **({"notes": list(self.notes)} if self.notes else {}),
        }


@dataclass(frozen=True)
class FillMaskEffect(EditEffect[FillMaskResult]):
    """The predictions of masked words, without an edit and with it. Both are from runs with a trace."""

    @property
    def changed(self) -> bool:
        """Whether another word is the most probable for some mask."""
        return any(a.candidates[:1] and _best(a) != _best(b) for a, b in self._places())

    @property
    def divergence(self) -> float:
        """KL(before ‖ after) of the probabilities, in nats, the mean over the masks."""
        each = [divergence(old.distribution, new.distribution) for old, new in self._places()]
        return math.fsum(each) / max(1, len(each))

    def _places(self) -> list[tuple[MaskedWord, MaskedWord]]:
        return list(zip(self.before.hidden, self.after.hidden, strict=True))

    def measures(self) -> dict[str, Any]:
        """Whether another word leads somewhere, and the divergence."""
        return {"changed": self.changed, "divergence": self.divergence}

    def moved(self) -> Sequence[str]:
        """The divergence."""
        return [f"KL(before ‖ after): {self.divergence:.3f} nats"]


def _best(hidden: MaskedWord) -> str:
    return hidden.candidates[0].piece
