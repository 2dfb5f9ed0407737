"""Training a classifier: what the loop needs, from a recipe."""

from collections.abc import Sequence
from typing import Any, ClassVar

import torch
from torch import nn
from torch.nn.functional import cross_entropy

from regard.config.classification import ClassificationRecipe
from regard.data.bad_rows import BadRows
from regard.data.batching import pad_texts
from regard.data.labelled import LabelledText, read_labelled
from regard.errors import DataError
from regard.metrics.calibration import fit_temperature, log_softmax
from regard.metrics.classification import accuracy_statistics, label_statistics, marks
from regard.models.catalogue import build_model
from regard.nn.deciding import Decider
from regard.nn.noise import Noise
from regard.store.vocabularies import Vocabularies
from regard.tasks.classification import Classifier
from regard.tasks.forcing import SYMBOLS
from regard.tasks.labelled_corpus import TrainingTexts, prepare_labelled
from regard.text.labels import Labels
from regard.training.loop import BatchLoss
from regard.training.task import TaskTraining


class ClassificationTraining(TaskTraining):
    """A classifier in the making."""

    example: ClassVar[str] = "text"
    recipe: ClassificationRecipe
    labels: Labels
    _train: TrainingTexts
    _dev_rows: Sequence[LabelledText]

    def make_ready(self) -> None:
        """The dev set in ids, and the classifier that validations run."""
        (self._tokenizer,) = self.vocabularies
        self.classifier = Classifier(
            self.model, tokenizer=self._tokenizer, labels=self.labels, recipe=self.recipe
        )
        self._temperature = 1.0
        """Of the weights of the last validation."""
        texts, places = [row.source for row in self._dev_rows], [row.where for row in self._dev_rows]
        self._dev = [text.ids for text in self.classifier.encode(texts, places)]
        for where, ids in zip(places, self._dev, strict=True):
            if not ids:
                raise DataError(f"{where}: the text has no words")
        self._dev_labels = [self.labels.number(row.target, row.where) for row in self._dev_rows]

    def read_dev(self, bad: BadRows) -> Sequence[LabelledText]:
        """The labelled texts of the dev set."""
        data = self.recipe.data
        return list(read_labelled(data.dev, data, split="dev", bad=bad))

    def prepare(self) -> tuple[Vocabularies, TrainingTexts]:
        """The vocabulary, and the training texts; the labels, too, are learned or those of another model."""
        known = self._start.labels() if self._start else None
        tokenizer, self.labels, texts = prepare_labelled(
            self.recipe.data, self.recipe.text, vocabularies=self.chosen, labels=known, quiet=self._quiet
        )
        return (tokenizer,), texts

    def build(self) -> nn.Module:
        """A model of the recipe."""
        sizes = {"source_size": len(self.vocabularies[0]), "outputs": len(self.labels)}
        return build_model(self.recipe.model, **sizes)

    def tables(self, model: nn.Module) -> Sequence[tuple[str, ...]]:
        """What grows with the vocabulary."""
        network: Decider = model  # type: ignore[assignment]
        return (network.source_rows,)

    def describe_vocabularies(self) -> str:
        """The sizes of the vocabulary and of the labels."""
        return f"a vocabulary of {len(self.vocabularies[0]):,}, {len(self.labels):,} labels"

    def stored_more(self, *, measured: bool) -> dict[str, Any]:
        """The labels; and the temperature of weights that were measured."""
        temperature = {"temperature": self._temperature} if measured else {}
        return {"labels": self.labels.to_json(), "summary": temperature}

    def loss(self, rows: Sequence[int], noise: Noise | None) -> BatchLoss:
        """The label-smoothed cross-entropy of training texts, and what the model adds to it.

        With BPE-dropout, the texts are in other spellings.
        """
        chosen = [self._train[row] for row in rows]
        texts = [text.text for text in chosen]
        if noise is not None and self._tokenizer.dropout:
            texts = [
                self._tokenizer.resample([int(token) for token in ids], key=(noise.seed, noise.step, row))
                for row, ids in zip(rows, texts, strict=True)
            ]
        tokens, lengths = pad_texts(texts, SYMBOLS)
        wanted = torch.tensor([text.label for text in chosen], device=self._device)
        decided = self.classifier.network(tokens.to(self._device), lengths.to(self._device), noise=noise)
        smoothing = self.recipe.training.label_smoothing
        loss = cross_entropy(decided.logits, wanted, reduction="sum", label_smoothing=smoothing)
        likelihood = -cross_entropy(decided.logits.detach(), wanted, reduction="sum")
        if decided.penalty is not None:
            loss = loss + decided.penalty.sum()
        read = int(lengths.sum())
        return BatchLoss(loss, likelihood, read, 1 - read / tokens.numel(), labels=len(rows))

    def validate(self) -> dict[str, float]:
        """Loss a label without smoothing, accuracy, macro F1; and the temperature of these weights."""
        logits = self.classifier.logits(self._dev)
        self._temperature = fit_temperature(logits, self._dev_labels)
        likely = log_softmax(logits)[range(len(logits)), self._dev_labels]
        said, count = logits.argmax(axis=1), len(self.labels)
        return {
            "loss": -float(likely.mean()),
            "accuracy": accuracy_statistics(said, self._dev_labels).value(),
            "macro_f1": label_statistics(marks(said, count), marks(self._dev_labels, count)).value(),
        }
