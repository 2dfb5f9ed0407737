"""Output types (single-label, multi-label, regression), with loss, prediction and dev scores of each."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from regard.data.batching import Ids
from regard.insight.record import AttentionRecord
from regard.metrics.calibration import fit_temperature, log_softmax
from regard.metrics.classification import accuracy_statistics, label_statistics, one_label_statistics
from regard.metrics.correlation import pearson_statistics, spearman_statistics
from regard.metrics.statistics import Floats
from regard.progress import counted
from regard.tasks.classification.result import Classification, MultiLabelClassification, RegressionResult
from regard.text.labels import Labels, LabelSets, Scale

Wanted = npt.NDArray[Any]
"""What is right, a row for each text."""
THRESHOLD = 0.5
"""A label is predicted if its probability is larger."""


class OutputType(ABC):
    """One kind of answer."""

    result_class: ClassVar[type[Classification]]
    said: Labels | Scale
    """What a model folder keeps of it."""
    outputs: int
    """How many a network has for it."""

    @abstractmethod
    def wanted(self, ids: Sequence[Ids]) -> Wanted:
        """The target, from the ids that `said` makes of it."""

    @abstractmethod
    def loss(self, logits: Tensor, wanted: Tensor, smoothing: float = 0.0) -> Tensor:
        """Summed over the texts of a batch."""

    @abstractmethod
    def temperature(self, logits: Floats, wanted: Wanted) -> float:
        """What logits are divided by, so that probabilities can be taken at their word."""

    @abstractmethod
    def scores(self, logits: Floats, wanted: Wanted) -> dict[str, float]:
        """Of a dev set: the loss per text, and the metrics of this output type, higher = better."""

    @abstractmethod
    def result(
        self, texts: Sequence[str], logits: Floats, temperature: float, attention: AttentionRecord
    ) -> Classification:
        """The prediction for a text, or for two, given the outputs of the network for it, (outputs,)."""

    @abstractmethod
    def describe(self) -> str:
        """The label set, in a few words."""

    def nothing(self, texts: Sequence[str], attention: AttentionRecord) -> Classification:
        """The prediction where there are no words: none."""
        return self.result_class(texts[0], "", {}, attention, second_of(texts))


class SingleLabel(OutputType):
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


class MultiLabel(OutputType):
    """σ(z / T) of each label, on its own; wanted is a mark for each, (n, labels)."""

    result_class: ClassVar[type[Classification]] = MultiLabelClassification
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
        """Loss per text, micro and macro F1, and how often all labels are right."""
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
        return MultiLabelClassification(
            texts[0], told, probabilities, attention, second_of(texts), labels=labels
        )

    def describe(self) -> str:
        """How many labels."""
        return f"{counted(self.outputs, 'label')}, any number of them to a text"


class Regression(OutputType):
    """mean + spread · z, where both are of the training rows; wanted is in the same standard units, (n,)."""

    result_class: ClassVar[type[Classification]] = RegressionResult
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
        return RegressionResult(texts[0], f"{value:.4f}", {}, attention, second_of(texts), value=value)

    def describe(self) -> str:
        """Where the numbers are."""
        return f"numbers of mean {self.said.mean:.3g}, standard deviation {self.said.spread:.3g}"


def output_type_of(said: Labels | Scale) -> OutputType:
    """One of several labels, any number of them, or a number on a scale."""
    if isinstance(said, Scale):
        return Regression(said)
    return MultiLabel(said) if isinstance(said, LabelSets) else SingleLabel(said)


def second_of(texts: Sequence[str]) -> str | None:
    """The text beside the first, where there is one."""
    return texts[1] if len(texts) > 1 else None
