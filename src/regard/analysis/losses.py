"""The loss of a model of any task, row by row, under edits of its attention that all rows share."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from regard.data.batching import EncodedPair, Ids, length_batches
from regard.data.pairs import Pair
from regard.data.questions import QuestionExample
from regard.data.tagged import TaggedSentence
from regard.errors import DataError
from regard.inference.generator import Generator
from regard.inference.interventions import SentenceEdits, trace_edits
from regard.inference.model import TaskModel
from regard.inference.teacher_forcing import teacher_force
from regard.metrics.bootstrap import SEED
from regard.metrics.calibration import log_softmax
from regard.metrics.statistics import Floats, Statistics, ratio
from regard.nn.trace import Trace
from regard.tasks.attention import encoded_rows, encoded_sides

_NOTHING = SentenceEdits()
_BATCH_TOKENS = 4096


class RowLosses(ABC):
    """Computes the loss of rows again and again, each time with other edits."""

    unit: str
    """What the loss is a mean over."""

    @abstractmethod
    def counts(self, edits: SentenceEdits = _NOTHING) -> Floats:
        """For each row the loss, summed, and what it is a sum over: (n, 2)."""

    def statistics(self, edits: SentenceEdits = _NOTHING) -> Statistics:
        """The mean loss, as a statistic of the rows."""
        return Statistics(self.counts(edits), ratio)


class GeneratedLosses(RowLosses):
    """−log p of each target token, by teacher forcing: of translations, and of texts."""

    unit = "token"

    def __init__(self, model: Generator[Any], pairs: Sequence[Pair]) -> None:
        sources, targets = encoded_sides(model, pairs)
        self._model = model
        given: list[Ids] = [() if model.decoder_only else source.ids for source in sources]
        self._pairs = [EncodedPair(ids, target.ids) for ids, target in zip(given, targets, strict=True)]

    def counts(self, edits: SentenceEdits = _NOTHING) -> Floats:
        """−Σ log p, and the tokens."""
        found = np.zeros((len(self._pairs), 2))
        budget = self._model.recipe.decoding.batch_tokens
        edited = [edits] * len(self._pairs)
        forced = teacher_force(
            self._model.module,
            self._pairs,
            budget=budget,
            device=self._model.device,
            look=False,
            edited=edited,
        )
        for row, values, _ in forced:
            found[row] = -sum(values), len(values)
        return found


class PredictedLosses(RowLosses):
    """The losses of a predictor: what its network gives for a batch, and the loss of each row of it.

    A row without words has none, and is left out.
    """

    def __init__(self, model: Any, pairs: Sequence[Pair]) -> None:
        self._model = model
        rows = [(pair, one) for pair in pairs for one in encoded_rows(model, [pair]) if not one.is_empty]
        self._pairs, self._encoded = [pair for pair, _ in rows], [one for _, one in rows]
        self._examples = [model.example(one) for one in self._encoded]

    def counts(self, edits: SentenceEdits = _NOTHING) -> Floats:
        """Batch by batch."""
        found = np.zeros((len(self._examples), 2))
        for batch in self._model.outputs(self._examples, [edits] * len(self._examples)):
            found[batch.rows] = self.batch_counts(batch.rows, batch.output)
        return found

    @abstractmethod
    def batch_counts(self, rows: Sequence[int], output: Any) -> Floats:
        """Of one batch: (b, 2)."""


class LabelLosses(PredictedLosses):
    """The loss of the answers of a classifier."""

    unit = "text"

    def __init__(self, model: Any, pairs: Sequence[Pair]) -> None:
        super().__init__(model, pairs)
        if not all(pair.target for pair in self._pairs):
            raise DataError("the rows have no labels")
        numbers = [model.answer.said.numbers(pair.target, pair.where) for pair in self._pairs]
        self._wanted = model.answer.wanted(numbers)

    def batch_counts(self, rows: Sequence[int], output: Floats) -> Floats:
        """Of each text alone."""
        logits, wanted = torch.from_numpy(output), torch.from_numpy(self._wanted[np.asarray(rows)])
        loss = self._model.answer.loss
        return np.array(
            [[float(loss(logits[at : at + 1], wanted[at : at + 1])), 1.0] for at in range(len(rows))]
        )


class TagLosses(PredictedLosses):
    """−log p of the right tags."""

    unit = "word"

    def __init__(self, model: Any, pairs: Sequence[Pair]) -> None:
        from regard.tasks.tagging.examples import make_tags

        super().__init__(model, pairs)
        self._tagged = [
            example._replace(tags=[model.names.number(tag, pair.where) for tag in pair.tags])
            for example, pair in zip(self._examples, self._pairs, strict=True)
            if isinstance(pair, TaggedSentence)
        ]
        self._make_tags = make_tags

    def batch_counts(self, rows: Sequence[int], output: Any) -> Floats:
        """Of each sentence, over its words."""
        tags = self._make_tags([self._tagged[row] for row in rows]).to(output.scores.device)
        likely = output.labelling.log_likelihood(output.scores, tags, output.lengths)
        return np.column_stack([-likely.detach().double().cpu().numpy(), output.lengths.cpu().numpy()])


class AnswerLosses(PredictedLosses):
    """−log p of the right answer among all spans of its text; of several, of the most probable."""

    unit = "question"

    def __init__(self, model: Any, pairs: Sequence[Pair]) -> None:
        super().__init__(model, pairs)
        self._spans = [pair.spans if isinstance(pair, QuestionExample) else () for pair in self._pairs]

    def batch_counts(self, rows: Sequence[int], output: Any) -> Floats:
        """A row whose answer is no span of tokens does not count."""
        found = np.zeros((len(rows), 2))
        for at, row in enumerate(rows):
            for scores, right in self._model.choices(output, at, self._encoded[row].text, self._spans[row]):
                found[at] = -float(log_softmax(scores)[right]), 1.0
        return found


class VectorLosses(PredictedLosses):
    """1 − cos(v, v₀): how far a vector is from that of the model without edits."""

    unit = "text"

    def __init__(self, model: Any, pairs: Sequence[Pair]) -> None:
        super().__init__(model, pairs)
        self._first: Floats | None = None
        self._vectors = np.zeros((len(self._examples), model.width))
        self.counts()
        self._first = self._vectors.copy()

    def batch_counts(self, rows: Sequence[int], output: Floats) -> Floats:
        """Of each text."""
        own = self._vectors[np.asarray(rows)] = np.asarray(output, dtype=np.float64)
        right = own if self._first is None else self._first[np.asarray(rows)]
        lengths = np.linalg.norm(own, axis=1) * np.linalg.norm(right, axis=1)
        cosines = (own * right).sum(axis=1) / np.maximum(lengths, 1e-12)
        return np.column_stack([np.maximum(0.0, 1.0 - cosines), np.ones(len(rows))])


class MaskedLosses(RowLosses):
    """−log p of masked tokens; the masks are those of `regard evaluate`."""

    unit = "masked token"

    def __init__(self, model: Any, pairs: Sequence[Pair]) -> None:
        from regard.tasks.masked_lm.evaluator import masked_examples

        self._model, self._examples = model, masked_examples(model, pairs, SEED)

    @torch.inference_mode()
    def counts(self, edits: SentenceEdits = _NOTHING) -> Floats:
        """−Σ log p, and the masks."""
        from regard.tasks.masked_lm.pretraining_example import ExampleBatch

        model, found = self._model, np.zeros((len(self._examples), 2))
        sizes = [len(example.masked.tokens) for example in self._examples]
        for rows in length_batches(sizes, budget=_BATCH_TOKENS):
            batch = ExampleBatch.of([self._examples[row] for row in rows], model.device)
            trace = Trace(model.network, trace_edits([edits] * len(rows)), keep=False)
            states = model.network(batch.tokens, batch.lengths, trace=trace)
            logits = model.head(states.flatten(0, 1)[batch.places])
            losses = cross_entropy(logits, batch.right, reduction="none").double().cpu()
            each = torch.split(losses, batch.hidden.tolist())
            found[np.asarray(rows)] = [(float(own.sum()), len(own)) for own in each]
        return found


_KINDS: dict[str, Any] = {
    "translation": GeneratedLosses,
    "language-model": GeneratedLosses,
    "classification": LabelLosses,
    "tagging": TagLosses,
    "question-answering": AnswerLosses,
    "masked-language-model": MaskedLosses,
    "embedding": VectorLosses,
}


def row_losses(model: TaskModel, pairs: Sequence[Pair]) -> RowLosses:
    """The losses of rows; a `DataError` says what they lack for it."""
    found: RowLosses = _KINDS[model.task](model, pairs)
    return found
