"""What models that write give back: frozen."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from html import escape
from typing import Any

from regard.insight.record import AttentionRecord
from regard.insight.svg import heat_map_svg
from regard.metrics.perplexity import perplexity_statistics


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another text that the search found."""

    text: str
    score: float
    log_probability: float = field(repr=False)
    tokens: tuple[str, ...] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {"text": self.text, "score": self.score, "log_probability": self.log_probability}


@dataclass(frozen=True)
class WrittenText:
    """What a model was given, what it wrote, and what it looked at while it wrote."""

    source: str
    text: str
    score: float
    """What the search ranked by; by default the log-probability, an average over the tokens."""
    log_probability: float
    """Log-probability of the text, </s> included: the model's own, whatever the search was."""
    tokens: tuple[str, ...] = field(repr=False)
    ended: bool = field(repr=False)
    """False where the output was cut off at the longest length allowed."""
    alternatives: tuple[Alternative, ...] = field(repr=False)
    """The other texts of the n best, best first; when sampling, the other draws, in their order."""
    attention: AttentionRecord = field(repr=False, compare=False)
    missing: tuple[str, ...] = field(default=(), repr=False)
    """Words that must appear and do not, because other rules forbade them."""
    notes: tuple[str, ...] = field(default=(), repr=False)
    """What a user should know of it."""

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
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def _repr_html_(self) -> str:
        """The text with its attention, as a notebook shows it."""
        shown = self.attention.reason or self.attention.words()
        picture = f"<p><i>{escape(shown)}</i></p>" if isinstance(shown, str) else heat_map_svg(shown)
        return f"<div><p>{escape(self.source)}<br><b>{escape(self.text)}</b></p>{picture}</div>"


class Translation(WrittenText):
    """A sentence, its translation, and what the model looked at while it wrote."""


class Completion(WrittenText):
    """The beginning of a text, the whole of it, and what the model looked at.

    Where a model was only shown a text, the two are the same.
    """

    def in_words(self) -> str:
        """What the model says, for a terminal: the text; of one that was only shown, how probable it is."""
        if self.text != self.source:
            return self.text
        words = perplexity_statistics([self.log_probability], [self.text]).value()
        return f"log-probability {self.log_probability:.3f}, perplexity {words:.2f} per word"


@dataclass(frozen=True, kw_only=True)
class TokenScores(ABC):
    """How probable a model finds the tokens of a given text."""

    tokens: tuple[str, ...] = field(repr=False)
    """The text's tokens, and </s>."""
    log_probabilities: tuple[float, ...] = field(repr=False)
    """Of each token, given those before it, and the source where there is one."""
    notes: tuple[str, ...] = field(default=(), repr=False)
    """What a user should know of it."""

    @property
    def log_probability(self) -> float:
        """Of the whole text, </s> included."""
        return math.fsum(self.log_probabilities)

    @property
    def average(self) -> float:
        """A token's log-probability, on average."""
        return self.log_probability / len(self.log_probabilities)

    @property
    @abstractmethod
    def texts(self) -> tuple[str, ...]:
        """What was scored: a source and a target, or a text alone."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""

    def _values(self) -> dict[str, Any]:
        notes = {"notes": list(self.notes)} if self.notes else {}
        return {"tokens": list(self.tokens), "log_probabilities": list(self.log_probabilities), **notes}


@dataclass(frozen=True, kw_only=True)
class PairScore(TokenScores):
    """How probable a model finds a given translation."""

    source: str
    target: str

    @property
    def texts(self) -> tuple[str, ...]:
        """The source and the target."""
        return self.source, self.target

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
            **self._values(),
        }


@dataclass(frozen=True, kw_only=True)
class TextScore(TokenScores):
    """How probable a language model finds a given text."""

    text: str

    @property
    def texts(self) -> tuple[str, ...]:
        """The text alone."""
        return (self.text,)

    @property
    def perplexity(self) -> float:
        """Per word, as `regard.metrics.perplexity` defines it."""
        return perplexity_statistics([self.log_probability], [self.text]).value()

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "text": self.text,
            "log_probability": self.log_probability,
            "average": self.average,
            "perplexity": self.perplexity,
            **self._values(),
        }
