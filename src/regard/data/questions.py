"""Questions with their texts and answers, from the rows of a corpus."""

from collections.abc import Sequence
from dataclasses import dataclass

from regard.config.data import OneCorpus
from regard.config.question_answering import QuestionsConfig
from regard.data.pairs import Pair
from regard.data.rows import Cell, CellKind, given_texts
from regard.data.schema import Cells, Reader, Schema
from regard.text.answer_spans import AnswerSpanIds
from regard.text.normalise import Span

_SHOWN = 30


@dataclass(frozen=True, slots=True)
class QuestionExample(Pair):
    """A text (the source), a question, and the right answers (the target, one per line)."""

    question: str = ""
    spans: tuple[Span, ...] = ()
    """The characters of the text that each right answer covers; none where there is no answer."""

    @property
    def answers(self) -> tuple[str, ...]:
        """Those that are right."""
        return tuple(self.source[start:end] for start, end in self.spans)

    @property
    def line(self) -> str:
        """All that a model learns from."""
        return "\t".join([self.question, self.source, repr(self.spans)])

    @property
    def sides(self) -> tuple[str, ...]:
        """The question, the text, and the text again with the span of the first answer in it."""
        first = self.spans[0] if self.spans else None
        return self.question, self.source, AnswerSpanIds.cell(self.source, first)


def question_schema(data: QuestionsConfig, part: OneCorpus, split: str) -> Schema[QuestionExample]:
    """A question, its text and its answers; a row whose answers are not where they should be is a bad one."""
    del part, split

    def make(cells: Cells, where: str, more: Cells) -> QuestionExample:
        spans, text = find_answers(cells, data), str(cells[1])
        right = "\n".join(text[start:end] for start, end in spans)
        return QuestionExample(text, right, where, None, more, str(cells[0]), spans)

    told = "say data.start=null to take an answer to be where its words stand first"
    start: dict[str, CellKind] = {} if data.start is None else {data.start: "any"}
    columns: dict[str, CellKind] = {data.question: "text", data.text: "text", data.answer: "texts", **start}
    return Schema(columns, make, dict.fromkeys(start, told), lambda cells: find_answers(cells, data))


def find_answers(cells: Sequence[Cell], data: QuestionsConfig) -> tuple[Span, ...]:
    """Where in a text its answers stand; the cells are those of `question_schema`."""
    _, text, answer, *given = cells
    answers, text = given_texts(answer), str(text)
    if not answers and not data.unanswerable:
        raise ValueError("has no answer; say data.unanswerable: true if questions may have none")
    if not given or not answers:
        return tuple(_first(one.strip(), text) for one in answers)
    starts = given_texts(given[0])
    if len(starts) != len(answers):
        raise ValueError(f"expected as many starts as answers, found {len(starts)} and {len(answers)}")
    return tuple(_at(one, start, text) for one, start in zip(answers, starts, strict=True))


def _first(answer: str, text: str) -> Span:
    start = text.find(answer)
    if start < 0:
        raise ValueError(f"the answer '{answer[:_SHOWN]}' does not stand in the text")
    return start, start + len(answer)


def _at(answer: str, start: str, text: str) -> Span:
    try:
        begin = int(start)
    except ValueError:
        raise ValueError(
            f"expected the position of a character as the start, found '{start[:_SHOWN]}'"
        ) from None
    end = begin + len(answer)
    if begin < 0 or text[begin:end] != answer:
        raise ValueError(
            f"the answer '{answer[:_SHOWN]}' does not stand at character {begin}, where the text has "
            f"'{text[max(0, begin) : max(0, end)][:_SHOWN]}'"
        )
    return begin, end


read_questions = Reader(question_schema)
