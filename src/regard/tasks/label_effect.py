"""What an edit changed in a decision: the two labels, and how the probabilities moved."""

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
        """KL(before ‖ after) of the probabilities, in nats; of numbers, how far they are apart."""
        return self.before.divergence(self.after)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "source": self.source,
            **({} if self.before.second is None else {"second": self.before.second}),
            "edits": [edit_to_dict(edit) for edit in self.edits],
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "changed": self.changed,
            "divergence": self.divergence,
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        """For a terminal: both labels, and the probability of each label before and after."""
        lines = [visible(text) for text in (self.source, self.before.second) if text is not None]
        lines += [f"edit    {visible(str(edit))}" for edit in self.edits] or ["edit    none"]
        lines.append(f"before  {self.before.in_words()}")
        lines.append(f"after   {self.after.in_words()}")
        lines += self.before.moved(self.after)
        return "\n".join(lines)
