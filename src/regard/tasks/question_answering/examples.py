"""Questions and texts in ids, with the spans of their answers: the training examples."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from regard.config.question_answering import QuestionAnsweringRecipe
from regard.data.batching import SYMBOLS, Ids, pad_texts
from regard.data.corpus import Choose, CorpusBuilder, TrainingRows, learned
from regard.data.encoded import StoredEncoder
from regard.data.questions import question_schema
from regard.nn.sequence_classifier import PaddedTokens
from regard.nn.span_extractor import QuestionBatch
from regard.text.answer_spans import AnswerSpanIds
from regard.text.tokenizer import Tokenizer


class EncodedQuestion(NamedTuple):
    """A question and its text as ids."""

    question: Ids
    text: Ids
    place: Ids = ()
    """The first and the last token of the answer, counted from 1; (0, 0) where there is none."""


TrainingQuestions = TrainingRows[EncodedQuestion]


def question_corpus(
    recipe: QuestionAnsweringRecipe, *, choose: Choose = learned, quiet: bool = False
) -> tuple[Tokenizer, TrainingQuestions]:
    """The vocabulary of a recipe, and its training questions in ids."""
    data = recipe.data
    builder = CorpusBuilder(
        data,
        recipe.text,
        question_schema,
        choose=choose,
        quiet=quiet,
        longest=[data.max_question, data.max_tokens],
        facts={"unanswerable": data.unanswerable},
    )
    tokenizer = builder.tokenizer([0, 1])
    encoders: list[StoredEncoder] = [tokenizer, tokenizer, AnswerSpanIds(tokenizer)]
    return tokenizer, builder.encoded(encoders, EncodedQuestion, counted=2)


def make_questions(rows: Sequence[EncodedQuestion], device: torch.device) -> QuestionBatch:
    """Padded batches of the questions and of the texts."""
    return QuestionBatch(
        *(
            PaddedTokens(*(part.to(device) for part in pad_texts(side, SYMBOLS)))
            for side in ([row.question for row in rows], [row.text for row in rows])
        )
    )


def make_places(rows: Sequence[EncodedQuestion]) -> Tensor:
    """Where the answers are, (b, 2)."""
    return torch.tensor([[int(place) for place in row.place] for row in rows])
