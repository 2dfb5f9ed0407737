"""A recipe: everything that decides what a training run gives."""

from typing import Literal

from regard.config.base import Config
from regard.config.data import DataConfig
from regard.config.decoding import DecodingConfig
from regard.config.model import ModelConfig
from regard.config.text import BpeConfig, TextConfig
from regard.config.training import TrainingConfig


class Recipe(Config):
    """A recipe: the task, its data, its text, the model, the training, the search."""

    task: Literal["translation"] = "translation"
    """What the model is for."""
    description: str = ""
    """One line for `regard recipes`."""
    data: DataConfig = DataConfig()
    text: TextConfig = BpeConfig()
    model: ModelConfig = ModelConfig()
    training: TrainingConfig = TrainingConfig()
    decoding: DecodingConfig = DecodingConfig()
