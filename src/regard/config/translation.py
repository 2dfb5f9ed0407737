"""Recipes for translation."""

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from regard.config.base import FamilyConfig
from regard.config.data import DataConfig
from regard.config.decoding import DecodingConfig
from regard.config.guided_alignment import GuidedAlignmentConfig
from regard.config.model import LSTMNConfig, ModelConfig, Seq2SeqConfig
from regard.config.recipe import Recipe, StartConfig
from regard.config.training import TrainingConfig
from regard.config.transformer import TransformerConfig
from regard.config.vectors import VectorsConfig


class TranslationTrainingConfig(TrainingConfig):
    """One run: its length, its batches, its optimizer, and when it is validated."""

    best_by: Literal["bleu", "loss"] = "bleu"
    """The metric that chooses the best checkpoint."""
    guided_alignment: GuidedAlignmentConfig | None = None
    """By default no attention is told what to look at."""

    @model_validator(mode="after")
    def _not_compiled(self) -> Self:
        if self.compile and self.guided_alignment is not None:
            raise ValueError("guided_alignment reads the attention of each step: set compile to false")
        return self


class TranslationRecipe(Recipe):
    """A recipe for translation: its data, its text, the model, the training, the search."""

    families: ClassVar[list[type[FamilyConfig]]] = [Seq2SeqConfig, TransformerConfig, LSTMNConfig]
    example: ClassVar[str] = "pair"
    loss_unit: ClassVar[str] = "token"
    has_decoder: ClassVar[bool] = True

    task: Literal["translation"] = "translation"
    """What the model is for."""
    data: DataConfig = DataConfig()
    model: ModelConfig = Field(default=Seq2SeqConfig(), discriminator="kind")
    """The network."""
    vectors: VectorsConfig = VectorsConfig()
    training: TranslationTrainingConfig = TranslationTrainingConfig()
    decoding: DecodingConfig = DecodingConfig()
    start: StartConfig | None = None
    """A trained model to start from; by default weights are initialised at random, from the seed."""

    @model_validator(mode="after")
    def _one_vocabulary(self) -> Self:
        asks = self.model.needs_one_vocabulary
        if asks is not None and not self.text.joint:
            raise ValueError(f"model.{asks} needs one vocabulary for both sides; set text.joint to true")
        return self
