"""A number."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from torch import Tensor

from regard.data.batching import Ids
from regard.insight.record import AttentionRecord
from regard.metrics.correlation import pearson_statistics, spearman_statistics
from regard.metrics.statistics import Floats
from regard.tasks.classification.output_types.output_type import Answer, Wanted, second_of
from regard.tasks.classification.result import Classification, Rating
from regard.text.scale import Scale


class NumberAnswer(Answer):
    """mean + spread · z, where both are of the training rows; wanted is in the same standard units, (n,)."""

    result_class: ClassVar[type[Classification]] = Rating
    said: Scale
    outputs = 1

    def __init__(self, said: Scale) -> None:
        self.said = said

    def wanted(self, ids: Sequence[Ids]) -> Wanted:
        """The numbers in standard units."""
        values = np.array([self.said.decode(own) for own in ids], dtype=np.float64)
        return (values - self.said.mean) / self.said.spread

    def loss(self, logits: Tensor, wanted: Tensor, smoothing: float = 0.0) -> Tensor:
        """The squared error in standard units: 1 a text for whoever always says the mean."""
        del smoothing  # a recipe has none
        return (logits.squeeze(1) - wanted.to(logits.dtype)).square().sum()

    def temperature(self, logits: Floats, wanted: Wanted) -> float:
        """There are no probabilities."""
        del logits, wanted
        return 1.0

    def scores(self, logits: Floats, wanted: Wanted) -> dict[str, float]:
        """The squared error, and both correlations; who always says the same has none: 0."""
        said = logits[:, 0]
        found = {"pearson": pearson_statistics(said, wanted), "spearman": spearman_statistics(said, wanted)}
        return {
            "loss": float(np.square(said - wanted).mean()),
            **{name: float(np.nan_to_num(metric.value())) for name, metric in found.items()},
        }

    def result(
        self, texts: Sequence[str], logits: Floats, temperature: float, attention: AttentionRecord
    ) -> Classification:
        """The number in the units of the corpus."""
        del temperature
        value = self.said.mean + self.said.spread * float(logits[0])
        return Rating(texts[0], f"{value:.4f}", {}, attention, second_of(texts), value=value)

    def describe(self) -> str:
        """Where the numbers are."""
        return f"numbers of mean {self.said.mean:.3g}, standard deviation {self.said.spread:.3g}"
