"""What an edit changed in a decision: the two labels, and how the probabilities moved."""

import math
from dataclasses import dataclass
from typing import Any

from regard.insight.edits import Edit, edit_to_dict
from regard.insight.labels import visible
from regard.insight.record import AttentionRecord
from regard.tasks.label_result import Classification


@dataclass(frozen=True)
class LabelEffect:
    """A decision without an edit and with it. Both are from runs with a trace."""

    edits: tuple[Edit, ...]
    before: Classification
    """Without the edit."""
    after: Classification
    """With it."""
    notes: tuple[str, ...] = ()
    """What a reader should know: which words were meant."""

    @property
    def source(self) -> str:
        """The text, as it was given."""
        return self.before.source

    @property
    def label(self) -> str:
        """The new label."""
        return self.after.label

    @property
    def attention(self) -> AttentionRecord:
        """What was looked at under the edit."""
        return self.after.attention

    @property
    def changed(self) -> bool:
        """Whether the label is another one."""
        return self.before.label != self.after.label

    @property
    def divergence(self) -> float:
        """KL(before ‖ after) of the probabilities, in nats."""
        both = [(p, self.after.probabilities[name]) for name, p in self.before.probabilities.items()]
        # A probability that has become 0 in float64 is as good as the smallest number there is.
        return max(0.0, math.fsum(p * (math.log(p) - math.log(max(q, 5e-324))) for p, q in both if p > 0))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "source": self.source,
            "edits": [edit_to_dict(edit) for edit in self.edits],
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "changed": self.changed,
            "divergence": self.divergence,
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        """For a terminal: both labels, and the probability of each label before and after."""
        lines = [visible(self.source)]
        lines += [f"edit    {visible(str(edit))}" for edit in self.edits] or ["edit    none"]
        lines.append(f"before  {self.before.in_words()}")
        lines.append(f"after   {self.after.in_words()}")
        for name, before in self.before.probabilities.items():
            after = self.after.probabilities[name]
            lines.append(f"  {visible(name)}: {before:.3f} → {after:.3f} ({after - before:+.3f})")
        lines.append(f"KL(before ‖ after): {self.divergence:.3f} nats")
        return "\n".join(lines)
