"""One label of several."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from torch import Tensor
from torch.nn.functional import cross_entropy

from regard.data.batching import Ids
from regard.insight.record import AttentionRecord
from regard.metrics.calibration import fit_temperature, log_softmax
from regard.metrics.classification import accuracy_statistics, one_label_statistics
from regard.metrics.statistics import Floats
from regard.tasks.classification.output_types.output_type import Answer, Wanted, second_of
from regard.tasks.classification.result import Classification
from regard.text.labels import Labels


class LabelAnswer(Answer):
    """softmax(z / T), and the most probable label; wanted is its number, (n,)."""

    result_class: ClassVar[type[Classification]] = Classification
    said: Labels

    def __init__(self, said: Labels) -> None:
        self.said = said
        self.outputs = len(said)

    def wanted(self, ids: Sequence[Ids]) -> Wanted:
        """The number of each label."""
        return np.array([int(own[0]) for own in ids], dtype=np.int64)

    def loss(self, logits: Tensor, wanted: Tensor, smoothing: float = 0.0) -> Tensor:
        """The cross-entropy, label-smoothed (Szegedy et al. 2016)."""
        return cross_entropy(logits, wanted, reduction="sum", label_smoothing=smoothing)

    def temperature(self, logits: Floats, wanted: Wanted) -> float:
        """Fitted (Guo et al. 2017)."""
        return fit_temperature(logits, wanted)

    def scores(self, logits: Floats, wanted: Wanted) -> dict[str, float]:
        """Loss without smoothing, accuracy, macro F1."""
        likely = log_softmax(logits)[np.arange(len(logits)), wanted]
        said = logits.argmax(axis=1)
        return {
            "loss": -float(likely.mean()),
            "accuracy": accuracy_statistics(said, wanted).value(),
            "macro_f1": one_label_statistics(said, wanted, self.outputs).value(),
        }

    def result(
        self, texts: Sequence[str], logits: Floats, temperature: float, attention: AttentionRecord
    ) -> Classification:
        """The most probable label."""
        values = np.exp(log_softmax(logits / temperature))
        probabilities = dict(zip(self.said, values.tolist(), strict=True))
        label = self.said.names[int(values.argmax())]
        return Classification(texts[0], label, probabilities, attention, second_of(texts))

    def describe(self) -> str:
        """How many labels."""
        return f"{self.outputs:,} labels"
