"""A recipe: everything that decides what a training run gives."""

from typing import Literal, Self

from pydantic import model_validator

from regard.config.base import Config
from regard.config.data import DataConfig
from regard.config.decoding import DecodingConfig
from regard.config.model import ModelConfig
from regard.config.text import BpeConfig, TextConfig
from regard.config.training import TrainingConfig
from regard.config.vectors import VectorsConfig


class StartConfig(Config):
    """A trained model to begin with, instead of weights by chance. The run is a new one."""

    model: str
    """A model folder, or a run folder, of which the best model is taken."""
    vocabulary: Literal["keep", "extend"] = "keep"
    """Keep the model's vocabulary as it is; or extend it by what a vocabulary of the new training text has
    beyond it. Entries that were there keep their numbers."""


class Recipe(Config):
    """A recipe: the task, its data, its text, the model, the training, the search."""

    task: Literal["translation"] = "translation"
    """What the model is for."""
    description: str = ""
    """One line for `regard recipes`."""
    data: DataConfig = DataConfig()
    text: TextConfig = BpeConfig()
    """How strings become numbers."""
    model: ModelConfig = ModelConfig()
    vectors: VectorsConfig = VectorsConfig()
    training: TrainingConfig = TrainingConfig()
    decoding: DecodingConfig = DecodingConfig()
    start: StartConfig | None = None
    """By default the weights are a function of the seed."""

    @model_validator(mode="after")
    def vectors_are_for_a_beginning(self) -> Self:
        """Refuse word vectors that the weights of another model would replace."""
        if self.start is not None and self.vectors:
            raise ValueError(
                "vectors has no use with start (--from): the word vectors are those of that model; "
                "leave one of them out"
            )
        return self
