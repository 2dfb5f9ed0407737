"""Training a model that finds answers: what the loop needs, from a recipe."""

from collections.abc import Sequence
from typing import Any, ClassVar

import torch
from torch import nn

from regard.config.question_answering import QuestionAnsweringRecipe
from regard.data.batching import Ids
from regard.data.pairs import Pair
from regard.data.questions import QuestionExample, read_questions
from regard.data.schema import Reader
from regard.errors import DataError
from regard.metrics.squad import squad_statistics
from regard.models.catalogue import build_model
from regard.nn.dropout import DropoutRng
from regard.progress import counted
from regard.store.build import Vocabularies
from regard.tasks.attention import attention_scores
from regard.tasks.question_answering.examples import (
    EncodedQuestion,
    TrainingQuestions,
    make_places,
    make_questions,
    question_corpus,
)
from regard.tasks.question_answering.predictor import QuestionAnswerer, calibration_rows, temperature_of
from regard.text.answer_spans import NO_ANSWER, answer_token_span
from regard.training.step import BatchLoss
from regard.training.trainer import Trainer


class QuestionAnsweringTrainer(Trainer):
    """A model that finds answers, in the making."""

    reader: ClassVar[Reader[Any, Pair]] = read_questions
    recipe: QuestionAnsweringRecipe
    _train: TrainingQuestions
    _dev_rows: Sequence[QuestionExample]

    @property
    def limits(self) -> str:
        """Of texts, and of questions."""
        return f"{super().limits}, or its question than data.max_question = {self.recipe.data.max_question}"

    def setup(self) -> None:
        """The dev set in ids, and the model that validations run."""
        self._never_said = self._check_answers()
        (tokenizer,) = self.vocabularies
        self.answerer = QuestionAnswerer(self.model, tokenizer=tokenizer, recipe=self.recipe)
        rows = self._dev_rows
        asked = [(row.question, row.source) for row in rows]
        self._dev_encoded = self.answerer.encode(asked, [row.where for row in rows])
        self._dev = []
        for row, one in zip(rows, self._dev_encoded, strict=True):
            if one.is_empty:
                raise DataError(f"{row.where}: the question or the text has no words")
            place = answer_token_span(one.text, row.spans[0]) if row.spans else NO_ANSWER
            self._dev.append(EncodedQuestion(one.question.ids, one.text.ids, place))
            self._check_place(place, row.where)

    def build_corpus(self) -> tuple[Vocabularies, TrainingQuestions]:
        """The vocabulary, and the training questions."""
        tokenizer, questions = question_corpus(self.recipe, choose=self.choose, quiet=self._quiet)
        return (tokenizer,), questions

    def build(self) -> nn.Module:
        """A model of the recipe."""
        return build_model(self.recipe.model, source_size=len(self.vocabularies[0]))

    def loss(self, rows: Sequence[int], rng: DropoutRng | None) -> BatchLoss:
        """-(log p(start) + log p(end)) / 2 of the answers of training questions."""
        chosen = [self._train[row] for row in rows]
        batch = make_questions(chosen, self._device)
        logits = self.answerer.allowed(self.answerer.network(batch, rng=rng))
        likelihood = logits.log_likelihood(make_places(chosen).to(self._device)).sum() / 2
        read = sum(int(side.lengths.sum()) for side in batch)
        held = sum(side.tokens.numel() for side in batch)
        return BatchLoss(-likelihood, likelihood.detach(), read, 1 - read / held, labels=len(rows))

    def describe_corpus(self) -> str:
        """The same, and how many answers are learned that can never be given."""
        told, never = super().describe_corpus(), self._never_said
        if not never:
            return told
        most = self.recipe.data.max_answer
        count = counted(never, "training answer")
        return f"{told}; {count} longer than data.max_answer = {most}, never predicted"

    def _check_answers(self) -> int:
        """Check every training answer before the first step; count those too long to be predicted."""
        never = 0
        for row in range(len(self._train)):
            first, last = self._train[row].place
            if not first:
                self._check_place((first, last), self._train.where(row))
            never += last - first >= self.recipe.data.max_answer
        return never

    def _check_place(self, place: Ids, where: str) -> None:
        """Refuse an answer of which the vocabulary has nothing, where there has to be one."""
        if not place[0] and not self.recipe.data.unanswerable:
            raise DataError(f"{where}: the vocabulary has no token for anything in the answer")

    def attention_scores(self) -> dict[str, float]:
        """Entropy and coverage."""
        return attention_scores(self.answerer, self._dev_rows)

    @torch.inference_mode()
    def validate(self) -> dict[str, float]:
        """Loss, exact match and F1; and the temperature of these weights."""
        said, likelihood = [""] * len(self._dev), 0.0
        choices, rows = [], calibration_rows(len(self._dev))
        for batch in self.answerer.outputs(self._dev):
            places = make_places([self._dev[row] for row in batch.rows]).to(self._device)
            likelihood += float(batch.output.log_likelihood(places).sum()) / 2
            for at, row in enumerate(batch.rows):
                text = self._dev_encoded[row].text
                found = self.answerer.found(batch.output, at, text)
                said[row] = found[0].text if found else ""
                if row in rows:
                    choices += self.answerer.choices(batch.output, at, text, self._dev_rows[row].spans)
        self.temperature = temperature_of(choices)
        scores = squad_statistics(said, [row.answers for row in self._dev_rows])
        return {
            "loss": -likelihood / len(self._dev),
            **{name: statistics.value() for name, statistics in scores.items()},
        }
