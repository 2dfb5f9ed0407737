"""Recipes for extractive question answering."""

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from regard.config.base import Config, Count, FamilyConfig
from regard.config.bert_reader import BertSpanConfig
from regard.config.data import BuiltinCorpus, CorporaConfig, Corpus, check_different
from regard.config.recipe import Recipe, StartConfig
from regard.config.text import TextConfig, WordPieceConfig
from regard.config.training import TrainingConfig
from regard.config.vectors import TextVectorsConfig

_QUESTIONS = BuiltinCorpus(world="questions")


class _Columns(Config):
    question: str = "question"
    """The column of the questions."""
    text: str = "text"
    """The column of the texts that have the answers."""
    answer: str = "answer"
    """The column of the answers: words of the text. JSON may have a list of several that are all right; the
    first is learned."""
    start: str | None = None
    """The column of where each answer begins, in characters counted from 0. Without it, an answer is taken to
    be the first occurrence of its words."""
    unanswerable: bool = False
    """Rows without an answer may be there, and the model may say that there is none."""
    max_question: Count = 32
    """A training row with a longer question, in tokens, is left out."""
    max_answer: Count = 30
    """The maximum length of an answer, in tokens."""


class QuestionsConfig(CorporaConfig, _Columns):
    """The corpora of questions, and which of their columns is which."""

    train: Corpus = _QUESTIONS
    """The training set."""
    max_tokens: int = Field(default=128, ge=1, lt=2**16)
    """A training row with a longer text, in tokens, is left out."""
    dev: Corpus = _QUESTIONS
    """The dev set, which chooses the best checkpoint."""


class QuestionAnsweringTrainingConfig(TrainingConfig):
    """One run: its length, its batches, its optimizer, and when it is validated."""

    label_smoothing: float = Field(default=0.0, ge=0.0, lt=1.0)
    """Not for question answering."""
    best_by: Literal["f1", "exact_match", "loss"] = "f1"
    """The metric that chooses the best checkpoint."""


class QuestionAnsweringRecipe(Recipe):
    """A recipe for extractive question answering: its data, its text, the model, the training.

    The answer to a question is a run of words of the text that comes with it (Rajpurkar et al. 2016).
    """

    families: ClassVar[list[type[FamilyConfig]]] = [BertSpanConfig]
    example: ClassVar[str] = "question"
    loss_unit: ClassVar[str] = "question"

    task: Literal["question-answering"] = "question-answering"
    """What the model is for."""
    data: QuestionsConfig = QuestionsConfig()
    text: TextConfig = WordPieceConfig()
    """How strings become numbers; with a start, that of the encoder."""
    model: BertSpanConfig = BertSpanConfig()
    """The span extractor."""
    vectors: TextVectorsConfig = TextVectorsConfig()
    training: QuestionAnsweringTrainingConfig = QuestionAnsweringTrainingConfig()
    start: StartConfig | None = None
    """A trained model to start from; by default weights are initialised at random, from the seed."""

    @model_validator(mode="after")
    def _only_what_has_a_meaning(self) -> Self:
        if self.text.joint:
            raise ValueError("text.joint is for two languages, and a question is asked in one; leave it out")
        if self.training.label_smoothing:
            raise ValueError("training.label_smoothing is not for question answering; leave it out")
        return self

    @model_validator(mode="after")
    def _reads_different_columns(self) -> Self:
        data = self.data
        check_different(data.question, data.text, data.answer, data.start)
        return self

    @model_validator(mode="after")
    def _has_room(self) -> Self:
        if self.start is None and (problem := self.model.no_room(self.data)):  # else its places are not known
            raise ValueError(problem)
        return self
