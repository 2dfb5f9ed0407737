"""Recipes for tagging."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from regard.config.base import Config, FamilyConfig
from regard.config.bert_tagger import BertTaggerConfig
from regard.config.data import BuiltinCorpus, CorporaConfig, Corpus
from regard.config.recipe import Recipe, StartConfig
from regard.config.tagger import TaggerConfig
from regard.config.text import AnyTextConfig, GivenConfig
from regard.config.training import TrainingConfig
from regard.config.vectors import TextVectorsConfig

_TAGS = BuiltinCorpus(world="tags")


class _Columns(Config):
    text: str = "words"
    """The column of the words: a list of them, or a text that is cut at its spaces."""
    label: str = "tags"
    """The column of the tags, one for each word. Those in training are the tag set of the model."""


class TaggedConfig(CorporaConfig, _Columns):
    """The corpora of a tagger, and which of their columns has the words and which the tags."""

    train: Corpus = _TAGS
    """The training set."""
    dev: Corpus = _TAGS
    """The dev set, which chooses the best checkpoint."""


class TaggingTrainingConfig(TrainingConfig):
    """One run: its length, its batches, its optimizer, and when it is validated."""

    label_smoothing: float = Field(default=0.0, ge=0.0, lt=1.0)
    """Not for taggers."""
    best_by: Literal["accuracy", "macro_f1", "span_f1", "loss"] = "accuracy"
    """The metric that chooses the best checkpoint; `span_f1` where the tags encode spans (BIO or BIOES)."""


class TaggingRecipe(Recipe):
    """A recipe for tagging: its data, its text, the model, the training. Each word has one tag."""

    families: ClassVar[list[type[FamilyConfig]]] = [TaggerConfig, BertTaggerConfig]
    example: ClassVar[str] = "sentence"
    loss_unit: ClassVar[str] = "word"

    task: Literal["tagging"] = "tagging"
    """What the model is for."""
    data: TaggedConfig = TaggedConfig()
    text: Annotated[AnyTextConfig, Field(discriminator="kind")] = GivenConfig()
    """The words that have a vector of their own; with `model.kind: bert`, the pieces that words are cut into,
    which are those of the encoder that it starts from."""
    model: TaggerConfig | BertTaggerConfig = Field(default=TaggerConfig(), discriminator="kind")
    """The tagger."""
    vectors: TextVectorsConfig = TextVectorsConfig()
    training: TaggingTrainingConfig = TaggingTrainingConfig()
    start: StartConfig | None = None
    """A trained model to start from; by default weights are initialised at random, from the seed."""

    @model_validator(mode="before")
    @classmethod
    def _usual_text(cls, values: Any) -> Any:
        """A text without a kind is of given words; a BERT reads them in word pieces."""
        if not isinstance(values, dict):
            return values
        model, text = values.get("model"), values.get("text", {})
        kind = model.get("kind") if isinstance(model, dict) else getattr(model, "kind", None)
        usual = "wordpiece" if kind == "bert" else "given"
        return {**values, "text": {"kind": usual, **text} if isinstance(text, dict) else text}

    @model_validator(mode="after")
    def _fits_the_model(self) -> Self:
        if isinstance(self.model, TaggerConfig) and not isinstance(self.text, GivenConfig):
            raise ValueError(
                f"text.kind: a tagger looks words up as they are given; say given, not {self.text.kind}"
            )
        if not isinstance(self.model, BertTaggerConfig):
            return self
        if self.vectors:
            raise ValueError("vectors has no use here: a bert reads pieces of words; leave it out")
        if self.start is None and (problem := self.model.no_room(self.data)):  # else its places are not known
            raise ValueError(problem)
        return self

    @model_validator(mode="after")
    def _only_what_has_a_meaning(self) -> Self:
        if self.text.joint:
            raise ValueError("text.joint is for two languages, and a tagger reads one; leave it out")
        if self.training.label_smoothing:
            raise ValueError("training.label_smoothing is not for taggers; leave it out")
        return self
