"""What an edit changed in the tags of a sentence: which tags, and how the probabilities moved."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from regard.inference.edited import EditedResult
from regard.insight.difference import word_diff
from regard.insight.labels import visible
from regard.metrics.divergence import divergence
from regard.tasks.tagging.result import Tagging


@dataclass(frozen=True)
class TagEffect(EditedResult[Tagging]):
    """The tags without an edit and with it. Both are from runs with a trace."""

    @property
    def tags(self) -> tuple[str, ...]:
        """The new tags."""
        return self.after.tags

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
