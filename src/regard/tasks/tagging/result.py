"""What tagging gives back: frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from regard.insight.labels import visible
from regard.insight.record import AttentionRecord
from regard.insight.svg import heat_map_svg
from regard.metrics.statistics import Floats

_DECIMALS = 6


@dataclass(frozen=True)
class Tagging:
    """A sentence, the tag of each of its words, and what the model looked at."""

    source: str
    """The text as it was given; of a list of words, these with spaces between them."""
    words: tuple[str, ...]
    tags: tuple[str, ...]
    """One for each word: together the most probable."""
    labels: tuple[str, ...] = field(repr=False, compare=False)
    """All tags that the model knows."""
    marginals: Floats = field(repr=False, compare=False)
    """(words, labels): how probable each tag of each word is, whatever the others have."""
    attention: AttentionRecord = field(repr=False, compare=False)
    notes: tuple[str, ...] = field(default=(), repr=False)
    """How a sentence was read that is longer than what the model reads at once."""

    @property
    def probabilities(self) -> tuple[float, ...]:
        """Of the tag of each word."""
        numbers = {label: number for number, label in enumerate(self.labels)}
        return tuple(float(self.marginals[row, numbers[tag]]) for row, tag in enumerate(self.tags))

    def of_word(self, word: int) -> Mapping[str, float]:
        """The probability of every tag of a word, counted from 0."""
        return dict(zip(self.labels, self.marginals[word].tolist(), strict=True))

    def in_words(self) -> str:
        """Each word with its tag."""
        pairs = zip(self.words, self.tags, strict=True)
        return " ".join(f"{visible(word)}/{visible(tag)}" for word, tag in pairs) or "(no words)"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "source": self.source,
            "words": list(self.words),
            "tags": list(self.tags),
            "probabilities": [round(value, _DECIMALS) for value in self.probabilities],
            "attention": attention_to_dict(self.attention),
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def _repr_html_(self) -> str:
        """The tags with their attention, as a notebook shows it."""
        shown = self.attention.reason or self.attention.words()
        picture = f"<p><i>{escape(shown)}</i></p>" if isinstance(shown, str) else heat_map_svg(shown)
        return f"<div><p>{escape(self.in_words())}</p>{picture}</div>"


def attention_to_dict(record: AttentionRecord) -> dict[str, Any]:
    """The mean of the heads, word by word; or why there is nothing."""
    if record.reason is not None:
        return {"reason": record.reason}
    return {"words": record.words().to_dict(), "engine": record.engine}
