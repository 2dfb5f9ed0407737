"""Outcomes that are words of a text, or a text as a whole: masks filled in, answers found, a cosine."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from regard.analysis.outcome import CONTRAST, SourceWord, differs, one_word, refuse
from regard.analysis.prediction import PredictionOutcome, is_wordless, log
from regard.errors import DataError
from regard.insight.display import visible
from regard.insight.edits import Word
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.trace import Trace
from regard.tasks.embedding.predictor import EmbeddingPredictor
from regard.tasks.masked_lm.predictor import FillMask
from regard.tasks.question_answering.examples import make_questions
from regard.tasks.question_answering.predictor import QuestionAnswerer
from regard.text.answer_spans import NO_ANSWER, answer_token_span, shown_spans


class FilledOutcome(PredictionOutcome):
    """The words under the masks of a text, or under one of them."""

    model: FillMask

    def __init__(
        self, model: FillMask, encoded: Any, *, target: str | None, word: Word | None, instead: str | None
    ) -> None:
        super().__init__(model, encoded)
        self.texts = (encoded.encoding.text.original,)  # with the masks
        (found,) = model.results([encoded], attention=False)
        side, ids = encoded.sides[0], encoded.encoding.ids
        masks = [place for place, token in enumerate(ids) if token == model.masked_text.mask]
        if not masks:
            raise DataError(f"write {model.symbol} where a word is to be filled in, found none in the text")
        self._masks = list(range(len(masks)))
        if word is not None:
            if word == model.symbol and len(masks) == 1:
                word = side.words().index(model.symbol)
            number, _ = one_word(word, side, "the text")
            inside = side.members(number)
            self._masks = [n for n, place in enumerate(masks) if len(side.before) + place in inside]
            if not self._masks:
                raise DataError(f"word {word} is not a {model.symbol}, and only those are filled in")
        if len(self._masks) > 1:
            told = "several words are filled in; name one by its number; see `word`"
            refuse({"target": target, "instead": instead}, told)
        self._every = [len(side.before) + place for place in masks]
        self._rows = [self._every[mask] for mask in self._masks]
        self._spans = [encoded.encoding.spans[masks[mask]] for mask in self._masks]
        best = [found.hidden[mask].candidates[0].piece for mask in self._masks]
        pieces = best if target is None else [target]
        self._tokens = [
            self._entry(piece, found.hidden[m]) for piece, m in zip(pieces, self._masks, strict=True)
        ]
        self._other = None if instead is None else self._entry(instead, found.hidden[self._masks[0]])
        if instead is not None:
            differs(self._tokens, [self._other], instead)
        self.measure = "log p" if instead is None else CONTRAST
        words = (model.masked_text.word(token) for token in self._tokens)
        self.said = " ".join(map(visible, words)) + ("" if instead is None else f", not {visible(instead)}")

    def _entry(self, word: str, hidden: Any) -> int:
        """The entry of the vocabulary that a word is, the most probable of several."""
        text = self.model.masked_text
        found = [n for n in range(len(hidden.distribution)) if word in (text.piece(n), text.word(n))]
        if not found:
            raise DataError(f"'{word}' is not one entry of the vocabulary, and only such are filled in")
        return max(found, key=lambda token: float(hidden.distribution[token]))

    @property
    def tokenizer(self) -> Any:
        """Of the model's own text."""
        return self.model.masked_text.tokenizer

    def is_fixed(self, word: SourceWord) -> bool:
        """A mask is what is predicted."""
        return super().is_fixed(word) or not set(self._every).isdisjoint(self.sides[0].members(word.number))

    def _hidden(self, read: Any, result: Any) -> list[Any]:
        """What is filled in for each mask: it stands for the same characters in every variant, while a word
        before it may be occluded by another mask, or gone."""
        text = read.encoding
        masks = (place for place, token in enumerate(text.ids) if token == self.model.masked_text.mask)
        known = {text.spans[place]: own for place, own in zip(masks, result.hidden, strict=True)}
        return [known[span] for span in self._spans]

    def value(self, read: Any, result: Any) -> list[float]:
        """The log-probability of each filled word."""
        found = []
        for hidden, token in zip(self._hidden(read, result), self._tokens, strict=True):
            own = hidden.distribution
            found.append(log(own[token]) - (0.0 if self._other is None else log(own[self._other])))
        return found

    def says(self, read: Any, result: Any) -> str:
        """The words that are filled in."""
        best = (hidden.candidates[:1] for hidden in self._hidden(read, result))
        return " ".join(visible(one.word) for own in best for one in own)

    def objective(self, model: Any, copies: int, trace: Trace) -> Tensor:
        """The same from the states."""
        states = model.forward([model.example(self.encoded)] * copies, trace)
        logs = model.head(states[:, self._rows]).log_softmax(-1)
        found = logs[:, range(len(self._rows)), self._tokens]
        less = 0.0 if self._other is None else logs[:, :, self._other]
        total: Tensor = (found - less).sum(-1)
        return total

    def rows(self, site: AttentionSpec, count: int) -> list[int]:
        """Those of the masks."""
        del site, count
        return self._rows


class SimilarityOutcome(PredictionOutcome):
    """The cosine of a text with another."""

    model: EmbeddingPredictor
    measure = "cosine"

    def __init__(self, model: EmbeddingPredictor, encoded: Any, beside: Any) -> None:
        super().__init__(model, encoded)
        if is_wordless(beside):
            raise DataError("the second text has no words, and nothing is near to it")
        found, other = model.results([encoded, beside], attention=False)
        self._other = other.vector / np.linalg.norm(other.vector)
        self.texts = (*encoded.texts, *beside.texts)
        (cosine,) = self.value(None, found)
        self.said = f"cosine {cosine:.3f} with '{visible(beside.texts[0])}'"

    @property
    def tokenizer(self) -> Any:
        """Of a masked language model, its own."""
        trained = getattr(self.model, "trained", None)
        return self.model.tokenizer if trained is None else trained.masked_text.tokenizer

    def value(self, read: Any, result: Any) -> list[float]:
        """The cosine."""
        del read
        return [float(result.vector @ self._other / max(np.linalg.norm(result.vector), 1e-12))]

    def says(self, read: Any, result: Any) -> str:
        """The cosine."""
        return f"{self.value(read, result)[0]:.3f}"

    def objective(self, model: Any, copies: int, trace: Trace) -> Tensor:
        """The same from the vectors."""
        vectors: Tensor = model.vectors(*model._tensors([self.encoded] * copies), trace)
        other = torch.from_numpy(self._other.copy()).to(vectors)
        return torch.nn.functional.normalize(vectors, dim=-1) @ other


class AnswerOutcome(PredictionOutcome):
    """The answer to a question: words of the text, or that it has none."""

    model: QuestionAnswerer

    def __init__(
        self,
        model: QuestionAnswerer,
        encoded: Any,
        *,
        target: str | None,
        word: Word | None,
        instead: str | None,
    ) -> None:
        super().__init__(model, encoded)
        refuse({"word": word}, "an answer is explained as a whole; leave it out")
        (found,) = model.results([encoded], attention=False)
        self._span = (found.start, found.end) if target is None else self._found(target, "target")
        self._other = None if instead is None else self._found(instead, "instead")
        if instead is not None:
            differs(self._span, self._other, instead)
        self.measure = "log p" if instead is None else CONTRAST
        start, end = self._span
        told = found.source[start:end] or "no answer"
        self.said = visible(told) + ("" if instead is None else f", not {visible(instead) or 'no answer'}")

    def _found(self, answer: str, what: str) -> tuple[int, int]:
        """The characters of an answer; an empty one says that there is none."""
        if not answer:
            if not self.model.recipe.data.unanswerable:
                raise DataError(f"{what}: this model was not trained to say that there is no answer")
            return 0, 0
        text = self.encoded.text.text.original
        starts = [n for n in range(len(text)) if text.startswith(answer, n)]
        for start in starts:
            span = start, start + len(answer)
            first, last = answer_token_span(self.encoded.text, span)
            spans = shown_spans(self.encoded.text)
            if (first, last) != NO_ANSWER and (spans[first - 1][0], spans[last - 1][1]) == span:
                return span
        why = "does not begin and end with tokens of the model" if starts else "is not in the text"
        raise DataError(f"{what}: '{answer}' {why}; an answer is words of the text")

    def value(self, read: Any, result: Any) -> list[float]:
        """The log-probability of the span; NaN where some of its words are gone."""
        there = set(shown_spans(read.text))
        wanted = [span for span in (self._span, self._other) if span is not None]
        inner = [own for own in shown_spans(self.encoded.text) if any(a <= own[0] < b for a, b in wanted)]
        if not there.issuperset(inner):
            return [float("nan")]
        less = 0.0 if self._other is None else log(result.probability_of(*self._other))
        return [log(result.probability_of(*self._span)) - less]

    def says(self, read: Any, result: Any) -> str:
        """The answer."""
        del read
        return visible(result.answer) or "no answer"

    def objective(self, model: Any, copies: int, trace: Trace) -> Tensor:
        """The same from the logits of starts and ends: the score of a span is their sum."""
        rows = make_questions([model.example(self.encoded)] * copies, model.device)
        logits = model.allowed(model.network(rows, trace=trace))
        spans = shown_spans(self.encoded.text)
        empty = [place for place, (first, last) in enumerate(spans, start=1) if first == last]
        start, end = (side.double() / model.temperature for side in (logits.start, logits.end))
        every = start[:, :, None] + end[:, None, :]  # (copies, first, last)
        places = torch.arange(every.shape[1], device=every.device)
        apart = places[None] - places[:, None]
        allowed = (apart >= 0) & (apart < model.recipe.data.max_answer)
        allowed &= (places[:, None] == 0) == (places[None] == 0)
        allowed[empty] = False
        allowed[:, empty] = False
        total = every.masked_fill(~allowed, -torch.inf).flatten(1).logsumexp(1)

        def log_probability(span: tuple[int, int]) -> Tensor:
            first, last = answer_token_span(self.encoded.text, span)
            found: Tensor = every[:, first, last] - total
            return found

        found = log_probability(self._span)
        return found if self._other is None else found - log_probability(self._other)

    def rows(self, site: AttentionSpec, count: int) -> list[int]:
        """Those of the first and the last token of the answer; [CLS] says that there is none."""
        del site, count
        place = answer_token_span(self.encoded.text, self._span)
        if place == NO_ANSWER:
            return [0]
        before = len(self.encoded.question.ids) + self.encoded.frame.separators  # and [CLS]; it counts from 1
        return sorted({before + token for token in place})
