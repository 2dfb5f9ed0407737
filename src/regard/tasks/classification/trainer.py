"""Training a classifier: what the loop needs, from a recipe."""

from collections.abc import Sequence
from typing import Any, ClassVar

import torch
from torch import nn

from regard.config.classification import ClassificationRecipe, LabelledConfig
from regard.data.batching import Ids
from regard.data.labelled import LabelledText, read_labelled
from regard.data.pairs import Pair
from regard.data.schema import Reader
from regard.errors import ConfigError, DataError
from regard.models.catalogue import build_classifier
from regard.nn.dropout import DropoutRng
from regard.store.build import Vocabularies, label_encoder_of
from regard.tasks.attention import attention_scores
from regard.tasks.classification.examples import TrainingTexts, labelled_corpus
from regard.tasks.classification.output_types import OutputType, output_type_of
from regard.tasks.classification.predictor import Classifier, padded
from regard.text.labels import Labels, Scale
from regard.training.step import BatchLoss
from regard.training.trainer import Trainer


class ClassificationTrainer(Trainer):
    """A classifier in the making."""

    reader: ClassVar[Reader[Any, Pair]] = read_labelled
    recipe: ClassificationRecipe
    answer: OutputType
    _train: TrainingTexts
    _dev_rows: Sequence[LabelledText]

    def setup(self) -> None:
        """The dev set in ids, and the classifier that validations run."""
        (self._tokenizer,) = self.vocabularies
        self.classifier = Classifier(
            self.model, tokenizer=self._tokenizer, said=self.answer.said, recipe=self.recipe
        )
        rows, said = self._dev_rows, self.answer.said
        encoded = self.classifier.encode([row.texts for row in rows], [row.where for row in rows])
        self._dev = [texts.ids for texts in encoded]
        for row, texts in zip(rows, self._dev, strict=True):
            if not all(texts):
                raise DataError(f"{row.where}: the text has no words")
        self._dev_wanted = self.answer.wanted([said.numbers(row.target, row.where) for row in rows])

    def build_corpus(self) -> tuple[Vocabularies, TrainingTexts]:
        """The vocabulary and the training texts; also the label set, unless it is another model's."""
        tokenizer, said, texts = labelled_corpus(
            self.recipe.data,
            self.recipe.text,
            said=self._known(),
            choose=self.choose,
            quiet=self._quiet,
        )
        self.answer = output_type_of(said)
        return (tokenizer,), texts

    def _known(self) -> Labels | Scale | None:
        """What the model to start from can say; one that reads or says something else is refused."""
        if (start := self.start) is None:
            return None
        data, there = self.recipe.data, start.stored.recipe.data
        if not isinstance(there, LabelledConfig):
            raise ConfigError(f"{start.where}: is not a model for classification")
        for name, own, other in (
            ("answer", data.answer.kind, there.answer.kind),
            ("second", data.second is not None, there.second is not None),
        ):
            if own != other:
                raise ConfigError(
                    f"{start.where}: is a model of another recipe (data.{name} is {other} there, {own} "
                    "here); start from a model that reads and says the same"
                )
        return label_encoder_of(start.stored, data.answer, start.where)

    def build(self) -> nn.Module:
        """A model of the recipe."""
        return build_classifier(
            self.recipe.model,
            source_size=len(self.vocabularies[0]),
            outputs=self.answer.outputs,
            texts=1 if self.recipe.data.second is None else 2,
        )

    def describe_vocabularies(self) -> str:
        """The size of the vocabulary, and the label set."""
        return f"{super().describe_vocabularies()}, {self.answer.describe()}"

    def extra_state(self) -> dict[str, Any]:
        """The label set."""
        return {"labels": self.answer.said.to_json()}

    def loss(self, rows: Sequence[int], rng: DropoutRng | None) -> BatchLoss:
        """The loss of the answer to training texts, and what the model adds to it.

        With BPE-dropout, the texts are segmented otherwise.
        """
        chosen = [self._train[row] for row in rows]
        texts: list[Sequence[Ids]] = [row.texts for row in chosen]
        if rng is not None and self._tokenizer.dropout:
            texts = [self._respelt(own, rng, row) for row, own in zip(rows, texts, strict=True)]
        first, second = padded(texts, self._device)
        wanted = torch.from_numpy(self.answer.wanted([row.said for row in chosen])).to(self._device)
        decided = self.classifier.network(*first, **second, rng=rng)
        loss = self.answer.loss(decided.logits, wanted, self.recipe.training.label_smoothing)
        likelihood = -self.answer.loss(decided.logits.detach(), wanted)
        if decided.penalty is not None:
            loss = loss + decided.penalty.sum()
        sides = [first, *([second["second"]] if "second" in second else [])]
        read = sum(int(side.lengths.sum()) for side in sides)
        held = sum(side.tokens.numel() for side in sides)
        return BatchLoss(loss, likelihood, read, 1 - read / held, labels=len(rows))

    def _respelt(self, texts: Sequence[Ids], rng: DropoutRng, row: int) -> Sequence[Ids]:
        """The first text of a row has the draws that it has alone; the second has others.

        A pair that would outgrow the maximum positions of the model keeps its usual segmentation.
        """
        keys = [(rng.seed, rng.step, row, *((text,) if text else ())) for text in range(len(texts))]
        respelt = [
            self._tokenizer.resample([int(token) for token in ids], key=key)
            for ids, key in zip(texts, keys, strict=True)
        ]
        most = self.classifier.most_of_a_pair
        return respelt if most is None or sum(map(len, respelt)) <= most else texts

    def attention_scores(self) -> dict[str, float]:
        """Entropy and coverage."""
        return attention_scores(self.classifier, self._dev_rows)

    def validate(self) -> dict[str, float]:
        """Loss without smoothing, and the measures of the answer; and the temperature of these weights."""
        logits = self.classifier.logits(self._dev)
        self.temperature = self.answer.temperature(logits, self._dev_wanted)
        return self.answer.scores(logits, self._dev_wanted)
