"""Outcomes of models that say something of what they read: their scores are read from their own results."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from regard.analysis.occluded import occluded_input
from regard.analysis.outcome import Outcome, Variant, occluder_of
from regard.errors import DataError
from regard.inference.interventions import SentenceEdits
from regard.inference.predictor import Predictor
from regard.metrics.divergence import SMALLEST
from regard.metrics.statistics import Floats
from regard.models.embedder import Embedder
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.pooling import FirstPooling
from regard.nn.trace import Trace


def log(probability: float) -> float:
    """Its logarithm; of 0, that of the smallest number there is."""
    return float(np.log(max(probability, SMALLEST)))


def is_wordless(encoded: Any) -> bool:
    """Whether an input, or one of its texts, has no tokens but special ones."""
    return bool(encoded.is_empty) or not all(side.pieces for side in encoded.sides)


class PredictionOutcome(Outcome):
    """An outcome of a predictor: what it says is read from its own results."""

    model: Predictor[Any, Any, Any, Any, Any]

    def __init__(self, model: Predictor[Any, Any, Any, Any, Any], encoded: Any) -> None:
        if is_wordless(encoded):
            raise DataError("the text has no words, and nothing can be a cause")
        self.model, self.network, self.encoded = model, model.network, encoded
        self.sides, self.sites = encoded.sides, model.attentions
        self.texts = tuple(encoded.texts)
        self.no_attention = str(model.no_attention.reason)
        self.occluder = occluder_of(self.tokenizer)
        self.objectives = ((1.0, self.objective),)
        self.notes = model.notes(encoded)

    @property
    def tokenizer(self) -> Any:
        """What the words are cut by."""
        return self.model.tokenizer

    @abstractmethod
    def value(self, read: Any, result: Any) -> list[float]:
        """The score of each unit of the outcome, in the result of a variant."""

    @abstractmethod
    def objective(self, model: Any, copies: int, trace: Trace) -> Tensor:
        """The score of the outcome for so many copies of the input, (copies,)."""

    def says(self, read: Any, result: Any) -> str:
        """What is said instead."""
        del read
        return str(result.in_words())

    @property
    def plain(self) -> Variant:
        """The input as it is."""
        return Variant(self.encoded)

    def without(self, edits: Sequence[SentenceEdits]) -> Variant:
        """The input without what is removed from each side, and with the changes of its attention."""
        return Variant(self.encoded.without(edits), SentenceEdits.together(edits))

    def occluded(self, side: int, places: Sequence[int], token: int) -> Variant:
        """The input with another token at some places of a side."""
        return Variant(occluded_input(self.encoded, side, frozenset(places), token))

    def measured(self, variants: Sequence[Variant], told: Sequence[int]) -> tuple[Floats, dict[int, str]]:
        """Scores and results, of one call for all of them."""
        read = [variant.read for variant in variants]
        results = self.model.results(read, attention=False, edited=[variant.edits for variant in variants])
        values = [self.value(one, result) for one, result in zip(read, results, strict=True)]
        said = {number: self.says(read[number], results[number]) for number in told}
        return np.array(values, dtype=np.float64), said

    @torch.inference_mode()
    def forward(self, trace: Trace) -> None:
        """One pass over the input as it is."""
        self.model.forward([self.model.example(self.encoded)], trace)

    def rows(self, site: AttentionSpec, count: int) -> list[int]:
        """All, unless a subclass knows better; of a pooling that takes the first token, that one."""
        if site.kind != "hops" and _takes_first(self.model.module):
            return [0]
        return list(range(count))


def _takes_first(module: Any) -> bool:
    """Whether the state of the first token stands for the text; BERT's own pooler has no other."""
    pooling = module.poolings[0] if isinstance(module, Embedder) else getattr(module, "pooling", module)
    return pooling is None or isinstance(pooling, FirstPooling)
