"""What a recipe for tagging says."""

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from regard.config.base import Config
from regard.config.data import BuiltinCorpus, CorporaConfig, Corpus
from regard.config.family import FamilyConfig
from regard.config.recipe import Recipe, StartConfig
from regard.config.tagger import TaggerConfig
from regard.config.text import GivenConfig
from regard.config.training import TrainingConfig
from regard.config.vectors import TextVectorsConfig

_TAGS = BuiltinCorpus(world="tags")


class _Columns(Config):
    text: str = "words"
    """The column of the words: a list of them, or a text that is cut at its spaces."""
    label: str = "tags"
    """The column of the tags, one for each word. What there is in training is what the model can say."""


class TaggedConfig(CorporaConfig, _Columns):
    """The corpora of a tagger, and which of their columns has the words and which the tags."""

    train: Corpus = _TAGS
    """What is learned from."""
    dev: Corpus = _TAGS
    """What the best checkpoint is chosen on."""


class TaggingTrainingConfig(TrainingConfig):
    """One run: its length, its batches, its optimizer, and when it looks at the dev set."""

    label_smoothing: float = Field(default=0.0, ge=0.0, lt=1.0)
    """Not for taggers."""
    best_by: Literal["accuracy", "macro_f1", "span_f1", "loss"] = "accuracy"
    """What makes a checkpoint the best; `span_f1` where the tags write spans (BIO or BIOES)."""


class TaggingRecipe(Recipe):
    """A recipe for tagging: its data, its text, the model, the training. Each word has one tag."""

    families: ClassVar[list[type[FamilyConfig]]] = [TaggerConfig]

    task: Literal["tagging"] = "tagging"
    """What the model is for."""
    data: TaggedConfig = TaggedConfig()
    text: GivenConfig = GivenConfig()
    """The words that have a vector of their own."""
    model: TaggerConfig = TaggerConfig()
    vectors: TextVectorsConfig = TextVectorsConfig()
    training: TaggingTrainingConfig = TaggingTrainingConfig()
    start: StartConfig | None = None
    """By default the weights are a function of the seed."""

    @model_validator(mode="after")
    def _only_what_has_a_meaning(self) -> Self:
        if self.text.joint:
            raise ValueError("text.joint is for two languages, and a tagger reads one; leave it out")
        if self.training.scheduled_sampling is not None:
            raise ValueError("training.scheduled_sampling is for models that write; leave it out")
        if self.training.label_smoothing:
            raise ValueError("training.label_smoothing is not for taggers; leave it out")
        return self
