"""What tagging gives back: frozen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from regard.inference.result import EditEffect, Prediction
from regard.insight.display import visible
from regard.insight.maps import word_diff
from regard.insight.record import AttentionRecord
from regard.metrics.divergence import divergence
from regard.metrics.statistics import Floats

_DECIMALS = 6


@dataclass(frozen=True)
class Tagging(Prediction):
    """A sentence, the tag of each of its words, and the attention weights."""

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
        return f"<div><p>{escape(self.in_words())}</p>{self._picture()}</div>"


@dataclass(frozen=True)
class TagEffect(EditEffect[Tagging]):
    """The tags without an edit and with it. Both are from runs with a trace."""

    @property
    def tags(self) -> tuple[str, ...]:
        """The new tags."""
        return self.after.tags

    @property
    def kept(self) -> list[tuple[int, int]]:
        """The words that both have: their index before, and after."""
        same = word_diff(self.before.words, self.after.words)
        return [(old, new) for _, _, old, new in same if old is not None and new is not None]

    @property
    def changed(self) -> tuple[int, ...]:
        """The words, by their index before, that have another tag."""
        before, after = self.before.tags, self.after.tags
        return tuple(old for old, new in self.kept if before[old] != after[new])

    @property
    def divergences(self) -> dict[int, float]:
        """KL(before ‖ after) of the tags of each word that both have, in nats, by its index before."""
        return {
            old: divergence(self.before.marginals[old], self.after.marginals[new]) for old, new in self.kept
        }

    def measures(self) -> dict[str, Any]:
        """Which words have another tag, and the divergence of each."""
        divergences = {str(place): value for place, value in self.divergences.items()}
        return {"changed": list(self.changed), "divergences": divergences}

    def moved(self) -> Sequence[str]:
        """Each word, its tag and how probable that is, before and after."""
        lines = []
        old_p, new_p = self.before.probabilities, self.after.probabilities
        for old, new in self.kept:
            tags = f"{visible(self.before.tags[old])} {old_p[old]:.3f} → "
            tags += f"{visible(self.after.tags[new])} {new_p[new]:.3f}"
            lines.append(f"  {visible(self.before.words[old])}: {tags}, KL {self.divergences[old]:.3f} nats")
        return lines


def attention_to_dict(record: AttentionRecord) -> dict[str, Any]:
    """The mean of the heads, word by word; or why there is nothing."""
    if record.reason is not None:
        return {"reason": record.reason}
    return {"words": record.words().to_dict(), "engine": record.engine}
