"""Training a masked language model: what the loop needs, from a recipe (Devlin et al. 2018)."""

from collections.abc import Sequence
from typing import Any, ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from regard.config.masked_language_model import MaskedLanguageModelRecipe
from regard.data.batching import length_batches
from regard.data.masking import MaskingVocabulary, WordStarts
from regard.data.pairs import Pair
from regard.data.schema import Reader
from regard.data.sentences import read_plain
from regard.errors import DataError
from regard.models.bert import Bert
from regard.nn.dropout import DropoutRng
from regard.nn.loss import smoothed_cross_entropy
from regard.progress import counted
from regard.store.build import Vocabularies
from regard.tasks.attention import ATTENTION_ROWS, attention_scores
from regard.tasks.masked_lm.examples import (
    PackedRows,
    check_documents,
    other_document,
    pack_in_memory,
    packed_corpus,
)
from regard.tasks.masked_lm.inputs import mask_entry
from regard.tasks.masked_lm.predictor import MaskedLanguageModel, build_bert
from regard.tasks.masked_lm.pretraining_example import NO_LABEL, Example, ExampleBatch, draws, make_example
from regard.text.symbols import SPECIAL
from regard.training.step import BatchLoss
from regard.training.trainer import Trainer

_DEV = 0
"""The step of the masks of the dev set: they are the same at each validation, and of no step of training."""


class MaskedLanguageModelTrainer(Trainer):
    """A masked language model in training."""

    reader: ClassVar[Reader[Any, Pair]] = read_plain
    recipe: MaskedLanguageModelRecipe
    _train: PackedRows

    @property
    def bert(self) -> Bert:
        """The model, as what it is."""
        return self.model  # type: ignore[return-value]  # `build` made it

    def setup(self) -> None:
        """The dev set with its masks."""
        (tokenizer,) = self.vocabularies
        recipe = self.recipe
        self._entries = MaskingVocabulary(
            len(tokenizer), mask_entry(tokenizer, "the vocabulary"), len(SPECIAL)
        )
        self._heads = WordStarts(tokenizer) if recipe.objective.whole_words else None
        dev = pack_in_memory(self._dev_rows, tokenizer, recipe)
        if recipe.objective.next_sentence == "on":
            check_documents(dev, "data.dev")
        self._dev = [
            make_example(
                dev[row],
                draws((recipe.training.seed, _DEV, row)),
                recipe.objective,
                self._entries,
                self._heads,
                lambda rng, row=row: other_document(dev, row, rng),  # type: ignore[misc]
                leftward=recipe.reads_left,
            )
            for row in range(len(dev))
        ]
        if not any(len(example.masked.places) for example in self._dev):
            raise DataError("data.dev: no text has words that the vocabulary knows")

    def build_corpus(self) -> tuple[Vocabularies, PackedRows]:
        """The vocabulary, and the training text in sequences."""
        tokenizer, rows = packed_corpus(self.recipe, choose=self.choose, quiet=self._quiet)
        return (tokenizer,), rows

    def build(self) -> nn.Module:
        """A model of the recipe."""
        return build_bert(self.recipe, len(self.vocabularies[0]))

    def vocabulary_parameters(self, model: nn.Module) -> Sequence[tuple[str, ...]]:
        """What grows with the vocabulary."""
        del model
        return (("word_embedding.weight", "masked_words.output.bias"),)

    def describe_corpus(self) -> str:
        """One line about what will be learned from."""
        length, documents = self.recipe.data.length, counted(self._train.documents, "document")
        return f"{super().describe_corpus()}; sequences of up to {length:,} tokens, of {documents}"

    def loss(self, rows: Sequence[int], rng: DropoutRng | None) -> BatchLoss:
        """The cross-entropy of masked tokens; and, where it is asked for, of the next-sentence label.

        Both are means over masked tokens, and are added up: a sequence counts once for each of its masked
        tokens. So the loss of a batch is the sum of those of its parts, however it is split.
        """
        step = _DEV if rng is None else rng.step
        batch = self.batch(rows, step)
        states = self.bert(batch.tokens, batch.lengths, batch.segments, rng=rng)
        smoothing = self.recipe.training.label_smoothing
        loss, likelihood = self._hidden_words(states, batch, smoothing)
        if self.recipe.asks_for_pairs:
            follows = cross_entropy(
                self.bert.follows(states), batch.follows, ignore_index=NO_LABEL, reduction="none"
            )
            loss = loss + (batch.hidden * follows).sum()
        read = int(batch.lengths.sum())
        count = max(1, len(batch.places))
        return BatchLoss(loss, likelihood, read, 1 - read / batch.tokens.numel(), labels=count)

    def batch(self, rows: Sequence[int], step: int) -> ExampleBatch:
        """What a step reads."""
        return ExampleBatch.of([self._example(row, step) for row in rows], self._device)

    def _example(self, row: int, step: int) -> Example:
        """A training sequence as a step reads it: a function of (seed, step, row)."""
        recipe = self.recipe
        return make_example(
            self._train[row],
            draws((recipe.training.seed, step, row)),
            recipe.objective,
            self._entries,
            self._heads,
            lambda rng: self._train.other(row, rng),
            leftward=recipe.reads_left,
        )

    def _hidden_words(self, states: Tensor, batch: ExampleBatch, smoothing: float) -> tuple[Tensor, Tensor]:
        """The loss, summed, and the log-likelihood. Logits are computed for masked tokens only."""
        head = self.bert.masked_words
        if head is None:
            raise AssertionError("the recipe asks for this head")
        features = head.features(states.flatten(0, 1)[batch.places])
        return smoothed_cross_entropy(
            features, head.output.weight, head.output.bias, batch.right, smoothing=smoothing
        )

    def attention_scores(self) -> dict[str, float]:
        """Entropy and coverage; rows are read alone, and those that are too long for that do not count."""
        (tokenizer,) = self.vocabularies
        model = MaskedLanguageModel(self.bert, tokenizer=tokenizer, recipe=self.recipe, where="the model")
        rows, most = self._dev_rows[:ATTENTION_ROWS], self.bert.longest - 2
        encoded = tokenizer.encode_ids([row.source for row in rows])
        short = [row for row, ids in zip(rows, encoded, strict=True) if len(ids) <= most]
        return attention_scores(model, short)

    @torch.inference_mode()
    def validate(self) -> dict[str, float]:
        """Loss per masked token, their accuracy, and the accuracy of next-sentence prediction."""
        likelihood, right, hidden, followed, pairs = 0.0, 0, 0, 0, 0
        sizes = [len(example.masked.tokens) for example in self._dev]
        head = self.bert.masked_words
        for rows in length_batches(sizes, budget=self.recipe.training.batch_tokens):
            batch = ExampleBatch.of([self._dev[row] for row in rows], self._device)
            states = self.bert(batch.tokens, batch.lengths, batch.segments)
            logits = head(states.flatten(0, 1)[batch.places])  # type: ignore[misc]  # as the recipe says
            likelihood -= float(cross_entropy(logits, batch.right, reduction="sum"))
            right += int((logits.argmax(-1) == batch.right).sum())
            hidden += len(batch.places)
            if self.recipe.asks_for_pairs:
                told = batch.follows != NO_LABEL
                said = self.bert.follows(states).argmax(-1)
                followed += int((said == batch.follows)[told].sum())
                pairs += int(told.sum())
        scores = {"loss": -likelihood / hidden, "accuracy": right / hidden}
        return scores | ({"next_sentence": followed / pairs} if pairs else {})
