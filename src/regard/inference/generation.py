"""What models that write give back: frozen."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from html import escape
from typing import Any, Literal

from regard.inference.result import EditEffect, Prediction
from regard.insight.display import visible
from regard.insight.edits import Edit, ForceRow
from regard.insight.record import AttentionRecord
from regard.metrics.perplexity import perplexity_statistics
from regard.text.symbols import EOS, SPECIAL
from regard.text.words import split_words

Sign = Literal["=", "-", "+"]


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another text that the search found."""

    text: str
    score: float
    log_probability: float = field(repr=False)
    tokens: tuple[str, ...] = field(repr=False)
    ids: tuple[int, ...] = field(repr=False)
    """The tokens as the vocabulary numbers them."""
    ended: bool = field(repr=False)
    """False where it was cut off at the longest length allowed."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "text": self.text,
            "score": self.score,
            "log_probability": self.log_probability,
            "ended": self.ended,
        }


@dataclass(frozen=True)
class GeneratedText(Prediction):
    """The input of a model, its output, and the attention weights behind it."""

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
        return f"<div><p>{escape(self.source)}<br><b>{escape(self.text)}</b></p>{self._picture()}</div>"


class Translation(GeneratedText):
    """A sentence, its translation, and the attention weights behind it."""


class Completion(GeneratedText):
    """A prompt, its completion, and the attention weights behind it.

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


@dataclass(frozen=True)
class TeacherForced:
    """A target under two conditions: log-probabilities of its tokens, and how the distributions differ."""

    before: list[float]
    after: list[float]
    divergence: list[float]
    """KL(before ‖ after) of the next-token distributions at each step, in nats."""


@dataclass(frozen=True)
class Effect(EditEffect[GeneratedText]):
    """An output without an edit and with it, and what the edit did to the probabilities of both.

    Everything here is from runs with a trace, with the edit or with none.
    """

    old: TeacherForced = field(repr=False, kw_only=True)
    """The old output forced, without the edit and with it."""
    new: TeacherForced = field(repr=False, kw_only=True)
    """The new output forced, without the edit and with it."""

    @property
    def text(self) -> str:
        """The new output."""
        return self.after.text

    @property
    def changed(self) -> bool:
        """Whether the output is another one."""
        return self.before.tokens != self.after.tokens

    @property
    def diff(self) -> tuple[tuple[Sign, str], ...]:
        """The words of both outputs: `=` in both, `-` in the old one only, `+` in the new one only."""
        old, new = split_words(self.before.text), split_words(self.after.text)
        found: list[tuple[Sign, str]] = []
        for tag, first, last, begin, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag == "equal":
                found += [("=", word) for word in old[first:last]]
            else:
                found += [("-", word) for word in old[first:last]]
                found += [("+", word) for word in new[begin:end]]
        return tuple(found)

    @property
    def old_change(self) -> float:
        """How the log-probability of the old output changed by the edit."""
        return math.fsum(self.old.after) - math.fsum(self.old.before)

    @property
    def new_change(self) -> float:
        """The same of the new output."""
        return math.fsum(self.new.after) - math.fsum(self.new.before)

    @property
    def divergence(self) -> tuple[tuple[str, float], ...]:
        """For each token of the old output, KL(before ‖ after) of the distributions it was chosen from."""
        tokens = (*self.before.tokens, SPECIAL[EOS])[: len(self.old.divergence)]
        return tuple(zip(tokens, self.old.divergence, strict=True))

    def measures(self) -> dict[str, Any]:
        """How far the two outputs are apart; plain values."""
        return {
            "changed": self.changed,
            "diff": [list(part) for part in self.diff],
            "log_probability": {
                name: {"before": math.fsum(forced.before), "after": math.fsum(forced.after)}
                for name, forced in (("old", self.old), ("new", self.new))
            },
            "divergence": [[token, value] for token, value in self.divergence],
        }

    def shown(self, prediction: GeneratedText) -> str:
        """One of the two outputs, for a terminal."""
        return visible(prediction.text)

    def moved(self) -> list[str]:
        """`[-old-]` and `{+new+}` words, log-probabilities, the divergence of each step, for a terminal."""
        signs = {"=": "{}", "-": "[-{}-]", "+": "{{+{}+}}"}
        lines = []
        if self.before.text != self.after.text:
            lines.append("words   " + " ".join(signs[s].format(visible(word)) for s, word in self.diff))
        outputs = [("old", self.old), ("new", self.new)] if self.changed else [("", self.old)]
        for name, forced in outputs:
            first, last = math.fsum(forced.before), math.fsum(forced.after)
            what = f"log-probability of the {name} output" if name else "log-probability"
            lines.append(f"{what}: {first:.3f} → {last:.3f} ({last - first:+.3f})")
        lines.append("KL(before ‖ after) at each step of the old output, in nats:")
        lines.append("  " + "  ".join(f"{visible(token)} {value:.3f}" for token, value in self.divergence))
        return lines


def reached(edits: Sequence[Edit], rows: int) -> list[str]:
    """Notes about rows that were forced and did not come."""
    return [
        f"row {edit.row} did not come: the output has {rows} tokens, </s> counted"
        for edit in edits
        if isinstance(edit, ForceRow) and edit.row >= rows
    ]
