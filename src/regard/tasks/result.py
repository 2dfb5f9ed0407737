"""What translation and scoring give back: frozen."""

import math
from dataclasses import dataclass, field
from html import escape
from typing import Any

from regard.insight.record import AttentionRecord
from regard.insight.svg import heat_map_svg


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another translation that the search found."""

    text: str
    score: float
    log_probability: float = field(repr=False)
    tokens: tuple[str, ...] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {"text": self.text, "score": self.score, "log_probability": self.log_probability}


@dataclass(frozen=True)
class Translation:
    """A sentence, its translation, and what the model looked at while it wrote."""

    source: str
    text: str
    score: float
    """What the search ranked by; by default the log-probability, an average over the tokens."""
    log_probability: float
    """Log-probability of the translation, </s> included: the model's own, whatever the search was."""
    tokens: tuple[str, ...] = field(repr=False)
    ended: bool = field(repr=False)
    """False where the output was cut off at the longest length allowed."""
    alternatives: tuple[Alternative, ...] = field(repr=False)
    """The other translations of the n best, best first; when sampling, the other draws, in their order."""
    attention: AttentionRecord = field(repr=False, compare=False)
    missing: tuple[str, ...] = field(default=(), repr=False)
    """Words that must appear and do not, because other rules forbade them."""

    def in_words(self) -> str:
        """What the model says, for a terminal."""
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "source": self.source,
            "text": self.text,
            "score": self.score,
            "log_probability": self.log_probability,
            "tokens": list(self.tokens),
            "ended": self.ended,
            "alternatives": [other.to_dict() for other in self.alternatives],
            "attention": self.attention.to_dict(maps=False),
            **({"missing": list(self.missing)} if self.missing else {}),
        }

    def _repr_html_(self) -> str:
        """The translation with its attention, as a notebook shows it."""
        shown = self.attention.reason or self.attention.words()
        picture = f"<p><i>{escape(shown)}</i></p>" if isinstance(shown, str) else heat_map_svg(shown)
        return f"<div><p>{escape(self.source)}<br><b>{escape(self.text)}</b></p>{picture}</div>"


@dataclass(frozen=True)
class PairScore:
    """How probable a model finds a given translation."""

    source: str
    target: str
    tokens: tuple[str, ...] = field(repr=False)
    """The target's tokens, and </s>."""
    log_probabilities: tuple[float, ...] = field(repr=False)
    """Of each token, given the source and the tokens before it."""

    @property
    def log_probability(self) -> float:
        """Of the whole translation, </s> included."""
        return math.fsum(self.log_probabilities)

    @property
    def average(self) -> float:
        """A token's log-probability, on average."""
        return self.log_probability / len(self.log_probabilities)

    @property
    def perplexity(self) -> float:
        """exp(-average): among how many equally probable tokens the model seems to choose."""
        return math.exp(min(-self.average, 700.0))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "source": self.source,
            "target": self.target,
            "log_probability": self.log_probability,
            "average": self.average,
            "perplexity": self.perplexity,
            "tokens": list(self.tokens),
            "log_probabilities": list(self.log_probabilities),
        }
