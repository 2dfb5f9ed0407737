"""What a model says of a text, and what depends on it: the loss, the decision, the scores on a dev set."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy.typing as npt
from torch import Tensor

from regard.data.batching import Ids
from regard.insight.record import AttentionRecord
from regard.metrics.statistics import Floats
from regard.tasks.classification.result import Classification
from regard.text.labels import Labels
from regard.text.scale import Scale

Wanted = npt.NDArray[Any]
"""What is right, a row for each text."""


class Answer(ABC):
    """One kind of answer."""

    result_class: ClassVar[type[Classification]]
    said: Labels | Scale
    """What a model folder keeps of it."""
    outputs: int
    """How many a network has for it."""

    @abstractmethod
    def wanted(self, ids: Sequence[Ids]) -> Wanted:
        """What is right, from the ids that `said` makes of it."""

    @abstractmethod
    def loss(self, logits: Tensor, wanted: Tensor, smoothing: float = 0.0) -> Tensor:
        """Summed over the texts of a batch."""

    @abstractmethod
    def temperature(self, logits: Floats, wanted: Wanted) -> float:
        """What logits are divided by, so that probabilities can be taken at their word."""

    @abstractmethod
    def scores(self, logits: Floats, wanted: Wanted) -> dict[str, float]:
        """Of a dev set: the loss a text, and the measures of this answer, higher = better."""

    @abstractmethod
    def result(
        self, texts: Sequence[str], logits: Floats, temperature: float, attention: AttentionRecord
    ) -> Classification:
        """What is said of a text, or of two, given the outputs of the network for it, (outputs,)."""

    @abstractmethod
    def describe(self) -> str:
        """What can be said, in a few words."""

    def nothing(self, texts: Sequence[str], attention: AttentionRecord) -> Classification:
        """What is said where there are no words: nothing."""
        return self.result_class(texts[0], "", {}, attention, second_of(texts))


def second_of(texts: Sequence[str]) -> str | None:
    """The text beside the first, where there is one."""
    return texts[1] if len(texts) > 1 else None
