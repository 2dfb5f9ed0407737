"""Extractive question answering: a question and a text in, words of the text out."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple, Self, overload

import numpy as np
import torch
from torch import nn

from regard.config.question_answering import QuestionAnsweringRecipe
from regard.errors import DataError, StoreError
from regard.inference.attention import IN_WINDOWS, NOT_ASKED, NOTHING_READ, engine_of, record_of, side_of
from regard.inference.inputs import given_text, given_texts
from regard.inference.interventions import (
    SentenceEdits,
    each_edits,
    refuse_prefix,
    resolve,
    trace_edits,
    without_removed,
)
from regard.inference.model import TaskModel
from regard.inference.script_notes import script_notes
from regard.inference.streaming import LINES_AT_ONCE, readings
from regard.inference.teacher_forcing import all_looks
from regard.inference.windows import window_batches
from regard.insight.edits import Edit, Edits
from regard.insight.maps import Weights
from regard.insight.merge import Side, joined
from regard.insight.record import AttentionRecord
from regard.metrics.calibration import fit_temperature_of_each
from regard.metrics.statistics import Floats
from regard.models.catalogue import build_model
from regard.nn.deciding import Frame, frame_of
from regard.nn.long_texts import windows_of
from regard.nn.spans import SpanFinder, SpanLogits
from regard.nn.trace import Trace
from regard.store.fitting import build_fitting
from regard.store.folder import StoredModel
from regard.store.vocabularies import vocabularies_of
from regard.tasks.question_answering.examples import EncodedQuestion, make_questions
from regard.tasks.question_answering.result import Answered, AnswerEffect, FoundAnswer
from regard.tasks.question_answering.span_search import Span, SpanScores
from regard.text.answer_places import NOTHING, answer_place, shown_spans
from regard.text.tokenizer import Encoding, Tokenizer

N_BEST = 3
_CALIBRATED_ON = 500
"""Dev rows that a temperature is fitted on: it is one number, and each row has thousands of spans."""
_BATCH_TOKENS = 4096
Asked = tuple[str, str]
"""A question, and a text."""
_Encoded = tuple[Encoding, Encoding]


class ScoredQuestions(NamedTuple):
    """What the network says of a batch of questions."""

    rows: list[int]
    """Which they are."""
    logits: SpanLogits
    """In float64."""
    seen: dict[str, Weights]
    """The weights of each attention by its path, (b, h, t, t); nothing where nobody looks, or in windows."""


class Answerer(TaskModel):
    """A trained model that finds answers in texts, with its vocabulary."""

    task: ClassVar[str] = "question-answering"
    reads_pairs: ClassVar[bool] = True
    recipe: QuestionAnsweringRecipe

    def __init__(
        self,
        model: nn.Module,
        *,
        tokenizer: Tokenizer,
        recipe: QuestionAnsweringRecipe,
        temperature: float = 1.0,
        summary: dict[str, Any] | None = None,
    ) -> None:
        """Put a finder of answers together.

        temperature: what the scores of spans are divided by before they become probabilities
        """
        self.module = model
        self.network: SpanFinder = model  # type: ignore[assignment]
        self.tokenizer = tokenizer
        self.recipe = recipe
        self.temperature = temperature
        self.summary = summary or {}

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The model that a folder holds; `where` names it in an error."""
        recipe = stored.recipe
        if not isinstance(recipe, QuestionAnsweringRecipe):
            raise StoreError(f"{where}: is a model for {recipe.task}, not for {cls.task}")
        (tokenizer,) = vocabularies_of(stored, where, 1)
        size = len(tokenizer)
        model = build_fitting(lambda: build_model(recipe.model, source_size=size), stored, where)
        temperature = float(stored.summary.get("temperature", 1.0))
        return cls(model, tokenizer=tokenizer, recipe=recipe, temperature=temperature, summary=stored.summary)

    def __repr__(self) -> str:
        parameters = sum(p.numel() for p in self.module.parameters())
        return f"Answerer({self.recipe.model.kind}, {parameters:,} parameters)"

    @overload  # a str is a sequence of str to the type checker, but never meant as one here
    def answer(  # type: ignore[overload-overlap]
        self, question: str, text: str, *, n_best: int = N_BEST, attention: bool = True, edit: None = None
    ) -> Answered: ...
    @overload
    def answer(
        self,
        question: Sequence[str],
        text: Sequence[str],
        *,
        n_best: int = N_BEST,
        attention: bool = True,
        edit: None = None,
    ) -> list[Answered]: ...
    @overload
    def answer(  # type: ignore[overload-overlap]
        self, question: str, text: str, *, n_best: int = N_BEST, attention: bool = True, edit: Edits
    ) -> AnswerEffect: ...
    @overload
    def answer(
        self,
        question: Sequence[str],
        text: Sequence[str],
        *,
        n_best: int = N_BEST,
        attention: bool = True,
        edit: Edit | Sequence[Edits],
    ) -> list[AnswerEffect]: ...
    def answer(
        self,
        question: str | Sequence[str],
        text: str | Sequence[str],
        *,
        n_best: int = N_BEST,
        attention: bool = True,
        edit: Edit | Sequence[Edits] | None = None,
    ) -> Answered | list[Answered] | AnswerEffect | list[AnswerEffect]:
        """Find the answer to a question in a text; or to several questions, each in its text (faster).

        n_best:    how many answers, the most probable first
        attention: also read what the model looked at
        edit:      change what is looked at, and give back what that changes. For one question an edit or
                   several; for a list of them one edit for all, or a list with an entry for each
        """
        alone = isinstance(question, str)
        asked = given_texts(question, "question")
        texts = given_texts(text)
        if len(asked) != len(texts):
            raise DataError(f"expected a text for each of {len(asked)} questions, found {len(texts)}")
        encoded = self.encode(list(zip(asked, texts, strict=True)))
        if edit is None:
            results = self._answer(encoded, n_best, attention=attention)
            return results[0] if alone else results
        effects = self._effects(encoded, each_edits(edit, len(encoded), alone=alone), n_best)
        return effects[0] if alone else effects

    @overload
    def look(self, text: str, second: str, *, edit: None = None) -> Answered: ...
    @overload
    def look(self, text: str, second: str, *, edit: Edits) -> AnswerEffect: ...
    def look(self, text: str, second: str, *, edit: Edits | None = None) -> Answered | AnswerEffect:
        """Answer a question (the first) by a text (the second), and read the attention; with an edit, what
        that changes."""
        text, second = given_text(text, "question"), given_text(second)
        return self.answer(text, second) if edit is None else self.answer(text, second, edit=edit)

    def answer_rows(
        self, rows: Iterable[tuple[str, Asked] | None], *, n_best: int = 1, attention: bool = False
    ) -> Iterator[Answered]:
        """Answer questions, each given with its place for an error; as many as there are, in their order.

        They are taken many at a time; None among them says that no more is at hand for now. Those before one
        that cannot be read are answered first.
        """

        def read(chunk: Sequence[tuple[str, Asked]]) -> list[_Encoded]:
            return self.encode([asked for _, asked in chunk], [where for where, _ in chunk])

        for encoded in readings(rows, LINES_AT_ONCE, read):
            yield from self._answer(encoded, n_best, attention=attention)

    def encode(self, rows: Sequence[Asked], places: Sequence[str] | None = None) -> list[_Encoded]:
        """Questions and texts as tokens; a question that is too long is refused, naming its place."""
        flat = iter(self.tokenizer.encode_many([text for asked in rows for text in asked]))
        encoded = [(next(flat), next(flat)) for _ in rows]
        most = self.network.most_of_a_question
        for row, (question, _) in enumerate(encoded):
            if len(question.ids) > most:
                raise DataError(
                    f"{places[row] if places else 'the question'}: expected at most {most:,} tokens in a "
                    f"question, found {len(question.ids):,} in '{question.text.original[:30]}…'; ask in "
                    f"fewer words"
                )
        return encoded

    @torch.inference_mode()
    def scored(
        self,
        questions: Sequence[EncodedQuestion],
        edited: Sequence[SentenceEdits] | None = None,
        *,
        look: bool = False,
    ) -> Iterator[ScoredQuestions]:
        """Read questions with their texts in batches of like length, in no particular order."""
        lengths = [len(one.question) + len(one.text) for one in questions]
        for rows in window_batches(lengths, self.network.room(0), budget=_BATCH_TOKENS):
            question, text = make_questions([questions[row] for row in rows], self.device)
            changes = None if edited is None else trace_edits([edited[row] for row in rows])
            trace = Trace(self.module, changes) if look or changes is not None else None
            found = self.allowed(self.network(question, text, trace=trace))
            seen: dict[str, Weights] = {}
            if trace is not None and look:
                looks = {path: trace.kept[path] for path in self.network.attentions}
                seen = {path: all_looks(own) for path, own in looks.items() if own}
            yield ScoredQuestions(rows, SpanLogits(found.start.double(), found.end.double()), seen)

    def allowed(self, logits: SpanLogits) -> SpanLogits:
        """What may be said: that there is no answer, only where the recipe has questions without one."""
        if self.recipe.data.unanswerable:
            return logits
        nothing = torch.zeros_like(logits.start, dtype=torch.bool)
        nothing[:, 0] = True
        return logits.without(nothing)

    def _effects(
        self, encoded: Sequence[_Encoded], edits: Sequence[tuple[Edit, ...]], n_best: int
    ) -> list[AnswerEffect]:
        refuse_prefix(edit for own in edits for edit in own)
        if any(map(self._windows, encoded)):
            raise DataError(
                "what is read in windows has no attention over the whole text; edit a shorter one"
            )
        edited = [
            resolve(own, self.side(texts), self.network.attentions)
            for texts, own in zip(encoded, edits, strict=True)
        ]
        between = self._frame.separators
        changed = [
            _pair(without_removed([own], texts, between)) for own, texts in zip(edited, encoded, strict=True)
        ]
        before = self._answer(encoded, n_best, edited=[SentenceEdits()] * len(encoded))
        after = self._answer(changed, n_best, edited=edited)
        return [
            AnswerEffect(own, old, new, change.notes)
            for own, old, new, change in zip(edits, before, after, edited, strict=True)
        ]

    def _answer(
        self,
        encoded: Sequence[_Encoded],
        n_best: int,
        *,
        attention: bool = True,
        edited: Sequence[SentenceEdits] | None = None,
    ) -> list[Answered]:
        if n_best < 1:
            raise DataError(f"expected one answer or more, found {n_best}")
        results = [
            Answered(text.text.original, question.text.original, (), NOTHING_READ)
            for question, text in encoded
        ]
        places = [row for row, (question, text) in enumerate(encoded) if question.ids and text.ids]
        own = None if edited is None else [edited[place] for place in places]
        questions = [EncodedQuestion(*(text.ids for text in encoded[place])) for place in places]
        engine = engine_of(self.module)
        for batch in self.scored(questions, own, look=attention):
            for at, row in enumerate(batch.rows):
                texts, record = encoded[places[row]], NOT_ASKED
                if batch.seen:
                    seen = {path: looks[at] for path, looks in batch.seen.items()}
                    record = record_of(self.side(texts), None, seen, self.network.attentions, engine)
                elif attention:
                    record = IN_WINDOWS
                scores = self.span_scores(batch.logits, at, texts[1], self.temperature)
                results[places[row]] = self._answered(texts, scores, record, n_best)
        return results

    def found(self, logits: SpanLogits, row: int, text: Encoding, n_best: int = 1) -> list[FoundAnswer]:
        """The best answers of one text of a batch."""
        return _found(self.span_scores(logits, row, text).best(n_best), text)

    def span_scores(
        self, logits: SpanLogits, row: int, text: Encoding, temperature: float = 1.0
    ) -> SpanScores:
        """The scores of the places of one text of a batch; no answer begins or ends with mere space."""
        sides = [side[row, : 1 + len(text.ids)].cpu().numpy() for side in (logits.start, logits.end)]
        start, end = (side / temperature for side in sides)
        empty = [place for place, (first, last) in enumerate(shown_spans(text), start=1) if first == last]
        start[empty] = end[empty] = -np.inf
        return SpanScores(start, end, self.recipe.data.max_answer)

    def choices(
        self, logits: SpanLogits, row: int, text: Encoding, spans: Sequence[tuple[int, int]]
    ) -> list[tuple[Floats, int]]:
        """The scores of all that may be said of one text of a batch, and which of them is right; of several
        right answers, the most probable. Nothing if none of them may be said.

        spans: the characters of the right answers; none where there is no answer
        """
        scores = self.span_scores(logits, row, text)
        places = [answer_place(text, span) for span in spans] or [NOTHING]
        found = [choice for place in places if (choice := scores.choices(*place)) is not None]
        return [max(found, key=lambda choice: float(choice[0][choice[1]]))] if found else []

    def _answered(
        self, texts: _Encoded, scores: SpanScores, record: AttentionRecord, n_best: int
    ) -> Answered:
        question, text = texts
        best = scores.best(n_best)
        looked: tuple[tuple[str, float], ...] = ()
        if record.looks and best and best[0].first:
            looked = self._looked_at(texts, best[0].first, best[0].last, record)

        def probability_of(start: int, end: int) -> float:
            first, last = place = answer_place(text, (start, end))
            spans = shown_spans(text)
            is_there = place == NOTHING or (spans[first - 1][0], spans[last - 1][1]) == (start, end)
            return scores.probability(*place) if is_there and bool(first) == bool(end) else 0.0

        return Answered(
            text.text.original,
            question.text.original,
            tuple(_found(best, text)),
            record,
            looked,
            self._windows(texts)
            + script_notes(self.tokenizer.scripts, question.text.original, text.text.original),
            probability_of,
        )

    def _looked_at(
        self, texts: _Encoded, first: int, last: int, record: AttentionRecord
    ) -> tuple[tuple[str, float], ...]:
        """The words of the question, each with its share of the attention of the answer's words."""
        shown, shares, asked = record.words(), self.side(texts).shares(), len(texts[0].ids)
        before = asked + self._frame.separators  # and [CLS]; answers count from 1
        own = shares[before + first : before + last + 1].any(axis=0)
        weights = shown.weights[own].mean(axis=0)
        words = np.flatnonzero(shares[1 : 1 + asked].any(axis=0)).tolist()
        return tuple((shown.columns[word], float(weights[word])) for word in words)

    def _windows(self, texts: _Encoded) -> tuple[str, ...]:
        """What there is to say of a text that is longer than what the model reads at once."""
        (question, text), length = texts, len(texts[1].ids)
        room = self.network.room(len(question.ids))
        if length <= room:
            return ()
        return (
            f"{len(text.ids):,} tokens, read in {len(windows_of(length, room))} windows of at most {room:,} "
            f"that overlap",
        )

    @property
    def _frame(self) -> Frame:
        frame = frame_of(self.network)
        if frame is None:
            raise AssertionError("a model that finds answers puts symbols around texts")
        return frame

    def side(self, texts: _Encoded) -> Side:
        """Labels of a question and its text, which are read as one, with the symbols around them."""
        question, text = (side_of(one, self.tokenizer.dictionary, ended=False) for one in texts)
        frame = self._frame
        before, after = (self.tokenizer.piece(symbol) for symbol in (frame.first, frame.last))
        return replace(joined(question, text, after, frame.separators), before=(before,), specials=(after,))


def calibration_rows(count: int) -> range:
    """The rows of a dev set that a temperature is fitted on, evenly from all."""
    return range(0, count, max(1, math.ceil(count / _CALIBRATED_ON)))


def temperature_of(choices: Sequence[tuple[Floats, int]]) -> float:
    """What makes the probabilities of right answers best: of each text, all spans, and which is right."""
    return fit_temperature_of_each(*zip(*choices, strict=True)) if choices else 1.0


def _found(best: Sequence[Span], text: Encoding) -> list[FoundAnswer]:
    """Spans of tokens as words of the text, exactly as they stand there."""
    original, spans = text.text.original, shown_spans(text)
    found = []
    for first, last, probability in best:
        start, end = (spans[first - 1][0], spans[last - 1][1]) if first else (0, 0)
        found.append(FoundAnswer(original[start:end], start, end, probability))
    return found


def _pair(texts: Sequence[Encoding]) -> _Encoded:
    question, text = texts
    return question, text
