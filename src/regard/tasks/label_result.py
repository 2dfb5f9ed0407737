"""What classification gives back: frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from regard.insight.labels import visible
from regard.insight.record import AttentionRecord
from regard.insight.svg import heat_map_svg


@dataclass(frozen=True)
class Classification:
    """A text, its label, and what the model looked at when it decided."""

    source: str
    label: str
    """The most probable one; nothing where the text has no words."""
    probabilities: Mapping[str, float] = field(repr=False)
    """Of every label, calibrated on the dev set of the training run; nothing where the text has no words."""
    attention: AttentionRecord = field(repr=False, compare=False)

    @property
    def probability(self) -> float:
        """Of the label; 0 where there is none."""
        return self.probabilities.get(self.label, 0.0)

    def in_words(self) -> str:
        """The label with its probability."""
        return f"{visible(self.label)} ({self.probability:.1%})" if self.label else "(no words)"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "source": self.source,
            "label": self.label or None,
            "probability": self.probability,
            "probabilities": dict(self.probabilities),
            "attention": self.attention.to_dict(maps=False),
        }

    def _repr_html_(self) -> str:
        """The label with its attention, as a notebook shows it."""
        shown = self.attention.reason or self.attention.words()
        picture = f"<p><i>{escape(shown)}</i></p>" if isinstance(shown, str) else heat_map_svg(shown)
        return f"<div><p>{escape(self.source)}<br><b>{escape(self.in_words())}</b></p>{picture}</div>"
