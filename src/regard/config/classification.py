"""Recipes for classification."""

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from regard.config.answer import AnswerConfig, LabelConfig
from regard.config.base import Config, FamilyConfig
from regard.config.bert_reader import BertReaderConfig
from regard.config.data import BuiltinCorpus, CorporaConfig, Corpus
from regard.config.recipe import Recipe, StartConfig
from regard.config.sentence import SentenceConfig
from regard.config.training import TrainingConfig
from regard.config.vectors import TextVectorsConfig

_SENTIMENT = BuiltinCorpus(world="sentiment")


class _Columns(Config):
    text: str = "text"
    """The column of the texts."""
    second: str | None = None
    """The column of a second text, where pairs are classified: a hypothesis with its premise, say."""
    label: str = "label"
    """The column of the labels. Those in training are the label set of the model."""
    answer: AnswerConfig = LabelConfig()
    """What that is: `label`, `labels` (any number of them), or `number`."""


class LabelledConfig(CorporaConfig, _Columns):
    """The corpora of a classifier, and its text and label columns."""

    train: Corpus = _SENTIMENT
    """The training set."""
    dev: Corpus = _SENTIMENT
    """The dev set: chooses the best checkpoint, and calibrates the probabilities."""


class ClassificationTrainingConfig(TrainingConfig):
    """One run: its length, its batches, its optimizer, and when it is validated."""

    label_smoothing: float = Field(default=0.0, ge=0.0, lt=1.0)
    """Label smoothing (Szegedy et al. 2016): probability that is spread over all labels."""
    best_by: Literal["accuracy", "macro_f1", "micro_f1", "pearson", "spearman", "loss"] = "loss"
    """The metric that chooses the best checkpoint: one of `data.answer`, or the loss."""


class ClassificationRecipe(Recipe):
    """A recipe for classification: its data, its text, the model, the training.

    A text, or two, is given a label, several labels, or a number, as `data.answer` says.
    """

    families: ClassVar[list[type[FamilyConfig]]] = [SentenceConfig, BertReaderConfig]
    example: ClassVar[str] = "text"
    loss_unit: ClassVar[str] = "label"

    task: Literal["classification"] = "classification"
    """What the model is for."""
    data: LabelledConfig = LabelledConfig()
    model: SentenceConfig | BertReaderConfig = Field(default=SentenceConfig(), discriminator="kind")
    """The classifier."""
    vectors: TextVectorsConfig = TextVectorsConfig()
    training: ClassificationTrainingConfig = ClassificationTrainingConfig()
    start: StartConfig | None = None
    """A trained model to start from; by default weights are initialised at random, from the seed."""

    @model_validator(mode="after")
    def _only_what_has_a_meaning(self) -> Self:
        if self.text.joint:
            raise ValueError("text.joint is for two languages, and a classifier reads one; leave it out")
        if isinstance(self.model, SentenceConfig) and self.model.combination and self.data.second is None:
            raise ValueError("model.combination is for two texts; name the column of the second: data.second")
        return self

    @model_validator(mode="after")
    def _has_room(self) -> Self:
        if self.start is not None or not isinstance(self.model, BertReaderConfig):
            return self  # with a start, its places are not known here
        if problem := self.model.no_room(self.data):
            raise ValueError(problem)
        return self

    @model_validator(mode="after")
    def _answers(self) -> Self:
        answer, training = self.data.answer, self.training
        if training.best_by not in (*answer.measures, "loss"):
            raise ValueError(
                f"training.best_by: {training.best_by} does not measure data.answer: {answer.kind}; "
                f"choose {', '.join(answer.measures)} or loss"
            )
        if training.label_smoothing and answer.kind == "number":
            raise ValueError(
                "training.label_smoothing is for labels, and data.answer is number; leave it out"
            )
        return self
