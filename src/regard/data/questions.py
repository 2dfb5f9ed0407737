"""Questions with their texts and answers, from the rows of a corpus."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regard.config.data import Corpus
from regard.config.question_answering import QuestionsConfig
from regard.data.bad_rows import BadRows
from regard.data.checks import CellKind, given_texts
from regard.data.lines import RAW_SHOWN
from regard.data.pairs import Pair
from regard.data.readers import open_rows, parts_of
from regard.data.rows import BadRow, Cell, Row, Rows, cell_text
from regard.text.normalise import Span

_SHOWN = 30


@dataclass(frozen=True, slots=True)
class AskedText(Pair):
    """A text (the source), what is asked of it, and the right answers (the target, one a line)."""

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


def question_columns(data: QuestionsConfig) -> dict[str, CellKind]:
    """The columns that a question is made of."""
    start: dict[str, CellKind] = {} if data.start is None else {data.start: "any"}
    return {data.question: "text", data.text: "text", data.answer: "texts", **start}


def absent_start(data: QuestionsConfig) -> dict[str, str]:
    """What to do where no column says where answers begin."""
    told = "say data.start=null to take an answer to be where its words stand first"
    return {} if data.start is None else {data.start: told}


def found_rows(rows: Rows, data: QuestionsConfig) -> Rows:
    """The same rows; one whose answers are not where they should be is a bad row."""
    places = [rows.columns.index(name) for name in question_columns(data)]

    def read() -> Iterator[Row | BadRow]:
        for row in rows:
            if isinstance(row, BadRow):
                yield row
                continue
            try:
                find_answers([row.cells[place] for place in places], data)
            except ValueError as error:
                yield BadRow(row.number, str(error), " ".join(map(cell_text, row.cells))[:RAW_SHOWN])
            else:
                yield row

    return Rows(rows.name, rows.columns, read)


def find_answers(cells: Sequence[Cell], data: QuestionsConfig) -> tuple[Span, ...]:
    """Where in a text its answers stand; the cells are those of `question_columns`."""
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


def read_questions(
    corpus: Corpus,
    data: QuestionsConfig,
    *,
    split: str,
    bad: BadRows | None = None,
    more: Sequence[str] = (),
) -> Iterator[AskedText]:
    """The questions of a corpus, all parts of a mix one after the other.

    split: what the corpus is named for in the recipe
    bad:   what to do with bad rows; by default, what the recipe says
    more:  further columns, taken as they are
    """
    policy = bad or BadRows.of(data)
    wanted = question_columns(data)
    for part in parts_of(corpus):
        columns = wanted | {name: "any" for name in more if name not in wanted}
        asked = open_rows(part, columns, split=split, absent=absent_start(data))
        rows = found_rows(asked, data)
        own, others = (tuple(map(rows.columns.index, names)) for names in (wanted, more))
        for row in policy.good(rows):
            cells = [row.cells[place] for place in own]
            spans, text = find_answers(cells, data), str(cells[1])
            right = "\n".join(text[start:end] for start, end in spans)
            further = tuple(row.cells[place] for place in others)
            yield AskedText(text, right, f"{rows.name}:{row.number}", None, further, str(cells[0]), spans)
