"""What an edit changed in the tags of a sentence: which tags, and how the probabilities moved."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.insight.difference import word_diff
from regard.insight.edits import Edit, edit_to_dict
from regard.insight.labels import visible
from regard.insight.record import AttentionRecord
from regard.tasks.tag_result import Tagging


@dataclass(frozen=True)
class TagEffect:
    """The tags without an edit and with it. Both are from runs with a trace."""

    edits: tuple[Edit, ...]
    before: Tagging
    """Without the edit."""
    after: Tagging
    """With it."""
    notes: tuple[str, ...] = ()
    """What a reader should know: which words were meant."""

    @property
    def source(self) -> str:
        """The text, as it was given."""
        return self.before.source

    @property
    def tags(self) -> tuple[str, ...]:
        """The new tags."""
        return self.after.tags

    @property
    def attention(self) -> AttentionRecord:
        """What was looked at under the edit."""
        return self.after.attention

    @property
    def kept(self) -> list[tuple[int, int]]:
        """The words that both have: their place before, and after."""
        same = word_diff(self.before.words, self.after.words)
        return [(old, new) for _, _, old, new in same if old is not None and new is not None]

    @property
    def changed(self) -> tuple[int, ...]:
        """The words, by their place before, that have another tag."""
        before, after = self.before.tags, self.after.tags
        return tuple(old for old, new in self.kept if before[old] != after[new])

    @property
    def divergences(self) -> dict[int, float]:
        """KL(before ‖ after) of the tags of each word that both have, in nats, by its place before."""
        return {
            old: _divergence(self.before.marginals[old], self.after.marginals[new]) for old, new in self.kept
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "source": self.source,
            "edits": [edit_to_dict(edit) for edit in self.edits],
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "changed": list(self.changed),
            "divergences": {str(place): value for place, value in self.divergences.items()},
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        """For a terminal: the tags before and after, and each word whose probabilities moved."""
        lines = [visible(self.source)]
        lines += [f"edit    {visible(str(edit))}" for edit in self.edits] or ["edit    none"]
        lines.append(f"before  {self.before.in_words()}")
        lines.append(f"after   {self.after.in_words()}")
        old_p, new_p = self.before.probabilities, self.after.probabilities
        for old, new in self.kept:
            tags = f"{visible(self.before.tags[old])} {old_p[old]:.3f} → "
            tags += f"{visible(self.after.tags[new])} {new_p[new]:.3f}"
            lines.append(f"  {visible(self.before.words[old])}: {tags}, KL {self.divergences[old]:.3f} nats")
        return "\n".join(lines)


def _divergence(before: Any, after: Any) -> float:
    # A probability that has become 0 in float64 is as good as the smallest number there is.
    terms = before * (np.log(np.maximum(before, 5e-324)) - np.log(np.maximum(after, 5e-324)))
    return max(0.0, math.fsum(terms.tolist()))
