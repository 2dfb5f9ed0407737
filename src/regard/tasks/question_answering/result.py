"""What question answering gives back: frozen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from regard.inference.result import EditEffect, Prediction
from regard.insight.display import visible
from regard.insight.record import AttentionRecord


@dataclass(frozen=True)
class AnswerSpan:
    """Words of a text that may be the answer, and how probable that is."""

    text: str
    """As they stand there; nothing where there is no answer."""
    start: int
    """The first character, counted from 0."""
    end: int
    """One after the last."""
    probability: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {"answer": self.text, "start": self.start, "end": self.end, "probability": self.probability}


_MOST = 3
"""Words that are shown, those with the largest attention weights."""
NOTHING_FOUND = AnswerSpan("", 0, 0, 0.0)


@dataclass(frozen=True)
class QuestionAnswer(Prediction):
    """A question, a text, the span of the text that answers it, and the attention weights."""

    source: str
    """The text."""
    question: str
    answers: tuple[AnswerSpan, ...]
    """The most probable, best first; none where there are no words to read."""
    attention: AttentionRecord = field(repr=False, compare=False)
    looked_at: tuple[tuple[str, float], ...] = field(default=(), repr=False, compare=False)
    """The words of the question, each with its share of the attention from the answer: the mean of all
    layers and heads."""
    notes: tuple[str, ...] = field(default=(), repr=False)
    """How a text was read that is longer than what the model reads at once."""
    probability_of: Callable[[int, int], float] = field(default=lambda *_: 0.0, repr=False, compare=False)
    """How probable an answer is that covers given characters of the text."""

    @property
    def best(self) -> AnswerSpan:
        """The most probable answer."""
        return self.answers[0] if self.answers else NOTHING_FOUND

    @property
    def answer(self) -> str:
        """Its words, as they stand in the text; nothing where there is no answer."""
        return self.best.text

    @property
    def start(self) -> int:
        """The first character of the answer in the text."""
        return self.best.start

    @property
    def end(self) -> int:
        """One after the last."""
        return self.best.end

    @property
    def probability(self) -> float:
        """Of the answer, among all that the text has."""
        return self.best.probability

    @property
    def texts(self) -> str:
        """What was read, a line for each text."""
        return f"{self.question}\n{self.source}"

    def in_words(self) -> str:
        """The answer with its probability, and the words of the question that it attends to most."""
        if not self.answers:
            return "(no words)"
        told = f"{visible(self.answer) if self.answer else '(no answer)'} ({self.probability:.1%})"
        looked = ", ".join(f"{visible(word)} {weight:.0%}" for word, weight in self.most_looked_at())
        return f"{told}; attended in the question to {looked}" if looked else told

    def most_looked_at(self) -> list[tuple[str, float]]:
        """The words of the question that the answer attends to most."""
        return sorted(self.looked_at, key=lambda seen: -seen[1])[:_MOST]

    def line(self) -> str:
        """As a line of a table: the answer, its first character, one after its last, its probability."""
        if not self.answers:
            return ""
        return f"{' '.join(self.answer.split())}\t{self.start}\t{self.end}\t{self.probability:.4f}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "question": self.question,
            "source": self.source,
            **self.best.to_dict(),
            "answers": [one.to_dict() for one in self.answers],
            "looked_at": [{"word": word, "weight": weight} for word, weight in self.looked_at],
            **({"notes": list(self.notes)} if self.notes else {}),
            "attention": self.attention.to_dict(maps=False),
        }


@dataclass(frozen=True)
class AnswerEffect(EditEffect[QuestionAnswer]):
    """An answer without an edit and with it. Both are from runs with a trace."""

    @property
    def texts(self) -> dict[str, str]:
        """The question and the text."""
        return {"question": self.before.question, "source": self.source}

    @property
    def changed(self) -> bool:
        """Whether the answer stands elsewhere."""
        return (self.before.start, self.before.end) != (self.after.start, self.after.end)

    @property
    def left(self) -> float:
        """How probable the answer before still is under the edit."""
        return self.after.probability_of(self.before.start, self.before.end)

    def measures(self) -> dict[str, Any]:
        """Whether the answer stands elsewhere, and what is left of the one before."""
        return {"changed": self.changed, "left": self.left}

    def moved(self) -> Sequence[str]:
        """The probability of the answer before, before and after."""
        was, now = self.before.probability, self.left
        shown = visible(self.before.answer) or "(no answer)"
        return [f"  {shown}: {was:.3f} → {now:.3f} ({now - was:+.3f})"]
