"""Any number of labels."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from regard.data.batching import Ids
from regard.insight.record import AttentionRecord
from regard.metrics.calibration import fit_temperature
from regard.metrics.classification import accuracy_statistics, label_statistics
from regard.metrics.statistics import Floats
from regard.progress import counted
from regard.tasks.classification.output_types.output_type import Answer, Wanted, second_of
from regard.tasks.classification.result import Classification, SeveralLabels
from regard.text.labels import LabelSets

THRESHOLD = 0.5
"""A label is said if its probability is larger."""


class LabelsAnswer(Answer):
    """σ(z / T) of each label, on its own; wanted is a mark for each, (n, labels)."""

    result_class: ClassVar[type[Classification]] = SeveralLabels
    said: LabelSets

    def __init__(self, said: LabelSets) -> None:
        self.said = said
        self.outputs = len(said)

    def wanted(self, ids: Sequence[Ids]) -> Wanted:
        """A mark for each label of each text."""
        marked = np.zeros((len(ids), self.outputs), dtype=bool)
        for row, own in enumerate(ids):
            marked[row, np.asarray(own, dtype=int)] = True
        return marked

    def loss(self, logits: Tensor, wanted: Tensor, smoothing: float = 0.0) -> Tensor:
        """The binary cross-entropy of every label; smoothing draws marks towards 1/2."""
        marks = wanted.to(logits.dtype) * (1 - smoothing) + smoothing / 2
        return binary_cross_entropy_with_logits(logits, marks, reduction="sum")

    def temperature(self, logits: Floats, wanted: Wanted) -> float:
        """One for all labels."""
        return fit_temperature(logits, wanted)

    def scores(self, logits: Floats, wanted: Wanted) -> dict[str, float]:
        """Loss a text, F1 of all labels together and of each, and how often all are right."""
        loss = self.loss(torch.from_numpy(logits), torch.from_numpy(wanted))
        said = logits > 0
        f1 = {mean: label_statistics(said, wanted, mean=mean).value() for mean in ("micro", "macro")}
        return {
            "loss": float(loss) / len(logits),
            "accuracy": accuracy_statistics(said, wanted).value(),
            **{f"{mean}_f1": float(np.nan_to_num(value)) for mean, value in f1.items()},
        }

    def result(
        self, texts: Sequence[str], logits: Floats, temperature: float, attention: AttentionRecord
    ) -> Classification:
        """The labels that are more probable than not."""
        values = torch.from_numpy(logits / temperature).sigmoid().tolist()
        probabilities = dict(zip(self.said, values, strict=True))
        labels = tuple(name for name, value in probabilities.items() if value > THRESHOLD)
        told = self.said.joined(labels)
        return SeveralLabels(texts[0], told, probabilities, attention, second_of(texts), labels=labels)

    def describe(self) -> str:
        """How many labels."""
        return f"{counted(self.outputs, 'label')}, any number of them to a text"
