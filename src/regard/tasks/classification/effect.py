"""What an edit changed in a decision: the two labels, and how the probabilities moved."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from regard.inference.edited import EditedResult
from regard.tasks.classification.result import Classification


@dataclass(frozen=True)
class LabelEffect(EditedResult[Classification]):
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
