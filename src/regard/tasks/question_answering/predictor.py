"""Extractive question answering: a question and a text in, words of the text out."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self, overload

import numpy as np
import torch
from torch import nn

from regard.config.question_answering import QuestionAnsweringRecipe
from regard.errors import DataError
from regard.inference.attention import EMPTY_INPUT
from regard.inference.inputs import EncodedTexts, Texts, given_texts
from regard.inference.predictor import Predictor, window_notes
from regard.insight.edits import EachEdits, Edits
from regard.insight.record import AttentionRecord
from regard.metrics.calibration import fit_temperature_of_each
from regard.metrics.statistics import Floats
from regard.models.catalogue import build_model
from regard.nn.sequence_classifier import SpecialTokens, special_tokens_of
from regard.nn.span_extractor import SpanExtractor, SpanLogits
from regard.nn.trace import Trace
from regard.store.build import build_from_weights, vocabularies_of
from regard.store.folder import StoredModel
from regard.tasks.question_answering.examples import EncodedQuestion, make_questions
from regard.tasks.question_answering.result import AnswerEffect, AnswerSpan, QuestionAnswer
from regard.tasks.question_answering.span_search import Span, SpanScores
from regard.text.answer_spans import NO_ANSWER, answer_token_span, shown_spans
from regard.text.tokenizer import Encoding, Tokenizer

N_BEST = 3
_CALIBRATED_ON = 500
"""Dev rows that a temperature is fitted on: it is one number, and each row has thousands of spans."""
QuestionInput = tuple[str, str]
"""A question, and a text."""


@dataclass(frozen=True)
class AskedTexts(EncodedTexts):
    """A question and a text, which are read as one."""

    n_best: int = 1
    """How many answers are wanted."""

    @property
    def question(self) -> Encoding:
        """What is asked."""
        return self.encodings[0]

    @property
    def text(self) -> Encoding:
        """The text that has the answer."""
        return self.encodings[1]


class QuestionAnswerer(Predictor[AskedTexts, EncodedQuestion, SpanLogits, QuestionAnswer, AnswerEffect]):
    """A trained model that finds answers in texts, with its vocabulary."""

    task: ClassVar[str] = "question-answering"
    reads_pairs = True
    effect_class = AnswerEffect
    recipe: QuestionAnsweringRecipe
    tokenizer: Tokenizer

    def __init__(
        self,
        model: nn.Module,
        *,
        tokenizer: Tokenizer,
        recipe: QuestionAnsweringRecipe,
        summary: dict[str, Any] | None = None,
    ) -> None:
        self.module = model
        self.network: SpanExtractor = model  # type: ignore[assignment]
        self.tokenizer = tokenizer
        self.recipe = recipe
        self.summary = summary or {}

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The model that a folder holds; `where` names it in an error."""
        recipe = cls.recipe_of(stored, QuestionAnsweringRecipe, where)
        (tokenizer,) = vocabularies_of(stored, where, 1)
        size = len(tokenizer)
        model = build_from_weights(lambda: build_model(recipe.model, source_size=size), stored, where)
        return cls(model, tokenizer=tokenizer, recipe=recipe, summary=stored.summary)

    @property
    def window(self) -> int:
        """How many tokens of a question and its text are read at once."""
        return self.network.room(0)

    @overload  # a str is a sequence of str to the type checker, but never meant as one here
    def answer(  # type: ignore[overload-overlap]
        self, question: str, text: str, *, n_best: int = N_BEST, attention: bool = True, edit: None = None
    ) -> QuestionAnswer: ...
    @overload
    def answer(
        self, question: Texts, text: Texts, *, n_best: int = N_BEST, attention: bool = True, edit: None = None
    ) -> list[QuestionAnswer]: ...
    @overload
    def answer(  # type: ignore[overload-overlap]
        self, question: str, text: str, *, n_best: int = N_BEST, attention: bool = True, edit: Edits
    ) -> AnswerEffect: ...
    @overload
    def answer(
        self, question: Texts, text: Texts, *, n_best: int = N_BEST, attention: bool = True, edit: EachEdits
    ) -> list[AnswerEffect]: ...
    def answer(
        self,
        question: str | Texts,
        text: str | Texts,
        *,
        n_best: int = N_BEST,
        attention: bool = True,
        edit: EachEdits | None = None,
    ) -> QuestionAnswer | list[QuestionAnswer] | AnswerEffect | list[AnswerEffect]:
        """Find the answer to a question in a text; or to several questions, each in its text (faster).

        n_best:    how many answers, the most probable first
        attention: also return the attention weights
        edit:      change the attention or the input, and return the effect. For one question an edit or
                   several; for a list of them one edit for all, or a list with an entry for each
        """
        asked = given_texts(question, "question")
        texts = given_texts(text)
        if len(asked) != len(texts):
            raise DataError(f"expected a text for each of {len(asked)} questions, found {len(texts)}")
        encoded = self.encode(list(zip(asked, texts, strict=True)), n_best=n_best)
        return self.predict(encoded, alone=isinstance(question, str), attention=attention, edit=edit)

    def answer_rows(
        self, rows: Iterable[tuple[str, QuestionInput] | None], *, n_best: int = 1, attention: bool = False
    ) -> Iterator[QuestionAnswer]:
        """Answer questions, each given with its place for an error; as many as there are, in their order.

        They are taken many at a time; None among them says that no more is at hand for now. Those before one
        that cannot be read are answered first.
        """
        encode = partial(self.encode, n_best=n_best)
        return self.predict_lines(rows, encode, partial(self.results, attention=attention))

    def encode(
        self, rows: Sequence[QuestionInput], places: Sequence[str] | None = None, *, n_best: int = 1
    ) -> list[AskedTexts]:
        """Questions and texts as tokens; a question that is too long is refused, naming its place."""
        flat = iter(self.tokenizer.encode_many([text for asked in rows for text in asked]))
        encoded = [AskedTexts((next(flat), next(flat)), self.tokenizer, self._frame, n_best) for _ in rows]
        most = self.network.max_question_tokens
        for row, one in enumerate(encoded):
            if len(one.question.ids) > most:
                raise DataError(
                    f"{places[row] if places else 'the question'}: expected at most {most:,} tokens in a "
                    f"question, found {len(one.question.ids):,} in '{one.texts[0][:30]}…'; ask in fewer words"
                )
        if n_best < 1:
            raise DataError(f"expected one answer or more, found {n_best}")
        return encoded

    def encode_texts(self, texts: tuple[str, ...]) -> AskedTexts:
        """A question, and a text."""
        question, text = texts
        return self.encode([(question, text)], n_best=N_BEST)[0]

    def example(self, one: AskedTexts) -> EncodedQuestion:
        """The ids of a question and of its text."""
        return EncodedQuestion(*one.ids)

    def length(self, example: EncodedQuestion) -> int:
        """Both together."""
        return len(example.question) + len(example.text)

    def forward(self, examples: Sequence[EncodedQuestion], trace: Trace | None) -> SpanLogits:
        """The logits of starts and ends, in float64."""
        found = self.allowed(self.network(make_questions(examples, self.device), trace=trace))
        return SpanLogits(found.start.double(), found.end.double())

    def allowed(self, logits: SpanLogits) -> SpanLogits:
        """The candidates; no answer is one of them only where the recipe has questions without one."""
        if self.recipe.data.unanswerable:
            return logits
        nothing = torch.zeros_like(logits.start, dtype=torch.bool)
        nothing[:, 0] = True
        return logits.without(nothing)

    def result(
        self, one: AskedTexts, output: SpanLogits, row: int, record: AttentionRecord
    ) -> QuestionAnswer:
        """The best answers, calibrated, and the attention weights of the first."""
        text, scores = one.text, self.span_scores(output, row, one.text, self.temperature)
        best = scores.best(one.n_best)
        looked: tuple[tuple[str, float], ...] = ()
        if record.attentions and best and best[0].first:
            looked = self._looked_at(one, best[0].first, best[0].last, record)

        def probability_of(start: int, end: int) -> float:
            first, last = place = answer_token_span(text, (start, end))
            spans = shown_spans(text)
            is_there = place == NO_ANSWER or (spans[first - 1][0], spans[last - 1][1]) == (start, end)
            return scores.probability(*place) if is_there and bool(first) == bool(end) else 0.0

        question, source = one.texts
        found = tuple(_found(best, text))
        return QuestionAnswer(source, question, found, record, looked, self.notes(one), probability_of)

    def empty(self, one: AskedTexts) -> QuestionAnswer:
        """No answers."""
        question, text = one.texts
        return QuestionAnswer(text, question, (), EMPTY_INPUT)

    def found(self, logits: SpanLogits, row: int, text: Encoding, n_best: int = 1) -> list[AnswerSpan]:
        """The best answers of one text of a batch."""
        return _found(self.span_scores(logits, row, text).best(n_best), text)

    def span_scores(
        self, logits: SpanLogits, row: int, text: Encoding, temperature: float = 1.0
    ) -> SpanScores:
        """The scores of the positions of one text of a batch; no answer begins or ends with mere space."""
        sides = [side[row, : 1 + len(text.ids)].cpu().numpy() for side in (logits.start, logits.end)]
        start, end = (side / temperature for side in sides)
        empty = [place for place, (first, last) in enumerate(shown_spans(text), start=1) if first == last]
        start[empty] = end[empty] = -np.inf
        return SpanScores(start, end, self.recipe.data.max_answer)

    def choices(
        self, logits: SpanLogits, row: int, text: Encoding, spans: Sequence[tuple[int, int]]
    ) -> list[tuple[Floats, int]]:
        """The scores of all candidates of one text of a batch, and which of them is right; of several
        right answers, the most probable. None if no right answer is among them.

        spans: the characters of the right answers; none where there is no answer
        """
        scores = self.span_scores(logits, row, text)
        places = [answer_token_span(text, span) for span in spans] or [NO_ANSWER]
        found = [choice for place in places if (choice := scores.choices(*place)) is not None]
        return [max(found, key=lambda choice: float(choice[0][choice[1]]))] if found else []

    def _looked_at(
        self, one: AskedTexts, first: int, last: int, record: AttentionRecord
    ) -> tuple[tuple[str, float], ...]:
        """The words of the question, each with its share of the attention of the answer's words."""
        shown, shares, asked = record.words(), one.sides[0].shares(), len(one.question.ids)
        before = asked + self._frame.separators  # and [CLS]; answers count from 1
        own = shares[before + first : before + last + 1].any(axis=0)
        weights = shown.weights[own].mean(axis=0)
        words = np.flatnonzero(shares[1 : 1 + asked].any(axis=0)).tolist()
        return tuple((shown.columns[word], float(weights[word])) for word in words)

    def window_notes(self, one: AskedTexts) -> tuple[str, ...]:
        """How a text was read that is longer than what is left beside its question."""
        return window_notes([len(one.text.ids)], self.network.room(len(one.question.ids)))

    @property
    def _frame(self) -> SpecialTokens:
        frame = special_tokens_of(self.network)
        if frame is None:
            raise AssertionError("a model that finds answers puts symbols around texts")
        return frame


def calibration_rows(count: int) -> range:
    """The rows of a dev set that a temperature is fitted on, evenly from all."""
    return range(0, count, max(1, math.ceil(count / _CALIBRATED_ON)))


def temperature_of(choices: Sequence[tuple[Floats, int]]) -> float:
    """What makes the probabilities of right answers best: of each text, all spans, and which is right."""
    return fit_temperature_of_each(*zip(*choices, strict=True)) if choices else 1.0


def _found(best: Sequence[Span], text: Encoding) -> list[AnswerSpan]:
    """Spans of tokens as words of the text, exactly as they stand there."""
    original, spans = text.text.original, shown_spans(text)
    found = []
    for first, last, probability in best:
        start, end = (spans[first - 1][0], spans[last - 1][1]) if first else (0, 0)
        found.append(AnswerSpan(original[start:end], start, end, probability))
    return found
