"""What classification gives back: frozen."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from regard.inference.result import EditEffect, Prediction
from regard.insight.display import visible
from regard.insight.maps import AttentionMap, main_maps, side_by_side_map
from regard.insight.record import AttentionRecord
from regard.metrics.divergence import divergence


@dataclass(frozen=True)
class Classification(Prediction):
    """A text, or two, its prediction, and the attention weights behind it."""

    source: str
    label: str
    """The most probable one; nothing where the text has no words. Where labels are several, or a number is
    said, that in one text."""
    probabilities: Mapping[str, float] = field(repr=False)
    """Of every label, calibrated on the dev set of the training run; nothing where the text has no words."""
    attention: AttentionRecord = field(repr=False, compare=False)
    second: str | None = None
    """What was read beside the text, where there are two."""
    notes: tuple[str, ...] = field(default=(), repr=False)
    """What a reader should know: how a long text was read."""

    @property
    def probability(self) -> float:
        """Of the label; 0 where there is none."""
        return self.probabilities.get(self.label, 0.0)

    @property
    def texts(self) -> str:
        """What was read, a line for each text."""
        return self.source if self.second is None else f"{self.source}\n{self.second}"

    def in_words(self) -> str:
        """The label with its probability."""
        return f"{visible(self.label)} ({self.probability:.1%})" if self.label else "(no words)"

    def line(self) -> str:
        """As a line of a table; nothing where the text has no words."""
        return f"{self.label}\t{self.probability:.4f}" if self.label else ""

    def divergence(self, after: "Classification") -> float:
        """KL(self ‖ after) of the probabilities, in nats."""
        old, new = (list(each.values()) for each in (self.probabilities, after.probabilities))
        return divergence(old, new)

    def moved(self, after: "Classification") -> list[str]:
        """How another result differs, in lines: the probability of each label, and how far all are apart."""
        lines = []
        for name, before in self.probabilities.items():
            now = after.probabilities[name]
            lines.append(f"  {visible(name)}: {before:.3f} → {now:.3f} ({now - before:+.3f})")
        return [*lines, f"KL(before ‖ after): {self.divergence(after):.3f} nats"]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "source": self.source,
            **({} if self.second is None else {"second": self.second}),
            **self.said(),
            **({"notes": list(self.notes)} if self.notes else {}),
            "attention": self.attention.to_dict(maps=False),
        }

    def said(self) -> dict[str, Any]:
        """The prediction, as plain values."""
        return {
            "label": self.label or None,
            "probability": self.probability,
            "probabilities": dict(self.probabilities),
        }

    def _map(self) -> AttentionMap:
        return side_by_side_map(main_maps(self.attention, "words"))


@dataclass(frozen=True)
class MultiLabelClassification(Classification):
    """A text with the labels that are more probable than not; there may be none."""

    labels: tuple[str, ...] = ()

    @property
    def probability(self) -> float:
        """That exactly these labels are right, if each is so on its own; 0 where there are no words."""
        own = (p if name in self.labels else 1 - p for name, p in self.probabilities.items())
        return math.prod(own) if self.probabilities else 0.0

    def in_words(self) -> str:
        """The labels with their probabilities."""
        if not self.probabilities:
            return "(no words)"
        told = (f"{visible(name)} ({self.probabilities[name]:.1%})" for name in self.labels)
        return ", ".join(told) or "(no label)"

    def line(self) -> str:
        """The labels, and behind a tab the probability of each."""
        if not self.probabilities:
            return ""
        return f"{self.label}\t{' '.join(f'{self.probabilities[name]:.4f}' for name in self.labels)}"

    def divergence(self, after: Classification) -> float:
        """KL(self ‖ after), summed over the labels, each of which is there or not."""
        both = [(p, after.probabilities[name]) for name, p in self.probabilities.items()]
        return math.fsum(divergence([p, 1 - p], [q, 1 - q]) for p, q in both)

    def said(self) -> dict[str, Any]:
        """The prediction, as plain values."""
        return {
            "labels": list(self.labels) if self.probabilities else None,
            "probabilities": dict(self.probabilities),
        }


@dataclass(frozen=True)
class RegressionResult(Classification):
    """A text, or two, and a number."""

    value: float | None = None
    """None where the text has no words."""

    def in_words(self) -> str:
        """The number."""
        return "(no words)" if self.value is None else f"{self.value:.3f}"

    def line(self) -> str:
        """The number."""
        return self.label

    def divergence(self, after: Classification) -> float:
        """How far the number is from the other."""
        return abs(_value(after) - _value(self))

    def moved(self, after: Classification) -> list[str]:
        """How another result differs, in one line."""
        before, now = _value(self), _value(after)
        return [f"  {before:.3f} → {now:.3f} ({now - before:+.3f})"]

    def said(self) -> dict[str, Any]:
        """The prediction, as plain values."""
        return {"value": self.value}


@dataclass(frozen=True)
class LabelEffect(EditEffect[Classification]):
    """A decision without an edit and with it. Both are from runs with a trace."""

    @property
    def texts(self) -> dict[str, str]:
        """The text; of a pair both."""
        second = self.before.second
        return {"source": self.source} | ({} if second is None else {"second": second})

    @property
    def label(self) -> str:
        """The new label."""
        return self.after.label

    @property
    def changed(self) -> bool:
        """Whether the label is another one."""
        return self.before.label != self.after.label

    @property
    def divergence(self) -> float:
        """KL(before ‖ after) of the probabilities, in nats; of numbers, how far they are apart."""
        return self.before.divergence(self.after)

    def measures(self) -> dict[str, Any]:
        """Whether the label is another one, and the divergence."""
        return {"changed": self.changed, "divergence": self.divergence}

    def moved(self) -> Sequence[str]:
        """The probability of each label before and after."""
        return self.before.moved(self.after)


def _value(result: Classification) -> float:
    value = result.value if isinstance(result, RegressionResult) else None
    return math.nan if value is None else value
