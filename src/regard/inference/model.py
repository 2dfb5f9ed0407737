"""A trained model with its text, whatever it is for."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import torch
from torch import nn

from regard.config.recipe import Recipe
from regard.store.folder import StoredModel


class TaskModel(ABC):
    """What all models have, whatever their task."""

    task: ClassVar[str]
    """As a recipe names it."""

    module: nn.Module
    recipe: Recipe
    summary: dict[str, Any]
    """What the training run said of this model."""

    @classmethod
    @abstractmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The model that a folder holds; `where` names it in an error."""

    @property
    def device(self) -> torch.device:
        """Where the model is."""
        return next(self.module.parameters()).device
