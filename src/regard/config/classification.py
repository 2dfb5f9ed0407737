"""What a recipe for classification says."""

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from regard.config.base import Config
from regard.config.bert_reader import BertReaderConfig
from regard.config.data import BuiltinCorpus, CorporaConfig, Corpus
from regard.config.family import FamilyConfig
from regard.config.recipe import Recipe, StartConfig
from regard.config.sentence import SentenceConfig
from regard.config.training import TrainingConfig
from regard.config.vectors import TextVectorsConfig

_SENTIMENT = BuiltinCorpus(world="sentiment")


class _Columns(Config):
    text: str = "text"
    """The column of the texts."""
    label: str = "label"
    """The column of the labels. What there is in training is what the model can say."""


class LabelledConfig(CorporaConfig, _Columns):
    """The corpora of a classifier, and which of their columns is read and which is the label."""

    train: Corpus = _SENTIMENT
    """What is learned from."""
    dev: Corpus = _SENTIMENT
    """What the best checkpoint is chosen on, and what the probabilities are calibrated on."""


class ClassificationTrainingConfig(TrainingConfig):
    """One run: its length, its batches, its optimizer, and when it looks at the dev set."""

    label_smoothing: float = Field(default=0.0, ge=0.0, lt=1.0)
    """Probability that is spread over all labels instead of given to the right one (Szegedy et al. 2016)."""
    best_by: Literal["accuracy", "macro_f1", "loss"] = "accuracy"
    """What makes a checkpoint the best."""


class ClassificationRecipe(Recipe):
    """A recipe for classification: its data, its text, the model, the training. Each text has one label."""

    families: ClassVar[list[type[FamilyConfig]]] = [SentenceConfig, BertReaderConfig]

    task: Literal["classification"] = "classification"
    """What the model is for."""
    data: LabelledConfig = LabelledConfig()
    model: SentenceConfig | BertReaderConfig = Field(default=SentenceConfig(), discriminator="kind")
    """The network that reads and decides."""
    vectors: TextVectorsConfig = TextVectorsConfig()
    training: ClassificationTrainingConfig = ClassificationTrainingConfig()
    start: StartConfig | None = None
    """By default the weights are a function of the seed."""

    @model_validator(mode="after")
    def _only_what_has_a_meaning(self) -> Self:
        if self.text.joint:
            raise ValueError("text.joint is for two languages, and a classifier reads one text; leave it out")
        if self.training.scheduled_sampling is not None:
            raise ValueError("training.scheduled_sampling is for models that write; leave it out")
        if isinstance(self.model, BertReaderConfig) and self.start is None:  # else its places are not known
            most = self.model.encoder.longest - 2
            if self.data.max_tokens > most:
                raise ValueError(
                    f"data.max_tokens {self.data.max_tokens} is more than the {most} tokens that "
                    f"model.encoder.places have room for"
                )
        return self
