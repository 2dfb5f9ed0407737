"""Questions and texts in ids, with the places of their answers: what is learned from."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from regard.config.question_answering import QuestionAnsweringRecipe
from regard.data.batching import SYMBOLS, Ids, pad_texts
from regard.data.corpus import Preparation, StoredEncoder, TrainingRows
from regard.data.questions import absent_start, find_answers, found_rows, question_columns
from regard.data.rows import Row, Rows
from regard.nn.deciding import Padded
from regard.store.vocabularies import Vocabularies
from regard.text.answer_places import AnswerPlaces
from regard.text.tokenizer import Tokenizer


class EncodedQuestion(NamedTuple):
    """A question and its text as ids."""

    question: Ids
    text: Ids
    place: Ids = ()
    """The first and the last token of the answer, counted from 1; (0, 0) where there is none."""


TrainingQuestions = TrainingRows[EncodedQuestion]


def prepare_questions(
    recipe: QuestionAnsweringRecipe,
    *,
    vocabularies: Callable[[Callable[[], Vocabularies]], Vocabularies] = lambda learn: learn(),
    quiet: bool = False,
) -> tuple[Tokenizer, TrainingQuestions]:
    """The vocabulary of a recipe, and its training questions in ids.

    vocabularies: chooses the vocabulary, given how to learn it; by default the one that is learned
    """
    preparation = _QuestionPreparation(recipe, quiet=quiet)
    (tokenizer,) = vocabularies(lambda: tuple(preparation.vocabularies([[0, 1]])))
    encoders: list[StoredEncoder] = [tokenizer, tokenizer, AnswerPlaces(tokenizer)]
    return tokenizer, preparation.encoded(encoders, EncodedQuestion, counted=2)


class _QuestionPreparation(Preparation):
    """A row is made of a question, a text, and the text again with the place of the answer in it."""

    def __init__(self, recipe: QuestionAnsweringRecipe, *, quiet: bool) -> None:
        data = self._questions = recipe.data
        columns = question_columns(data)
        sides = (data.question, data.text, data.answer)
        super().__init__(data, recipe.text, columns, sides, quiet=quiet, absent=absent_start(data))
        self._rows = [found_rows(rows, data) for rows in self._rows]
        self._longest = [data.max_question, data.max_tokens]
        self._policy |= {"unanswerable": data.unanswerable}

    def _cells(self, row: Row, rows: Rows) -> tuple[str, ...]:
        cells = [row.cells[rows.columns.index(name)] for name in question_columns(self._questions)]
        spans = find_answers(cells, self._questions)
        question, text = str(cells[0]), str(cells[1])
        return question, text, AnswerPlaces.cell(text, spans[0] if spans else None)


def make_questions(rows: Sequence[EncodedQuestion], device: torch.device) -> tuple[Padded, Padded]:
    """Padded batches of the questions and of the texts."""
    question, text = (
        Padded(*(part.to(device) for part in pad_texts(side, SYMBOLS)))
        for side in ([row.question for row in rows], [row.text for row in rows])
    )
    return question, text


def make_places(rows: Sequence[EncodedQuestion]) -> Tensor:
    """Where the answers are, (b, 2)."""
    return torch.tensor([[int(place) for place in row.place] for row in rows])
