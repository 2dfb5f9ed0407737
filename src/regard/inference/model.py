"""A trained model with its text, whatever it is for."""

from abc import ABC
from typing import Any, ClassVar, Self, TypeVar

import torch
from torch import nn

from regard.config.recipe import Recipe
from regard.errors import StoreError
from regard.lazy import imported
from regard.store.folder import StoredModel

R = TypeVar("R", bound=Recipe)


class TaskModel(ABC):
    """What all models have, whatever their task."""

    task: ClassVar[str]
    """As a recipe names it."""

    module: nn.Module
    recipe: Recipe
    summary: dict[str, Any]
    """What the training run recorded of this model."""

    @classmethod
    def opened(cls, stored: StoredModel, where: str) -> Self:
        """The model that a folder holds; `where` names it in an error.

        Of some models, which come from elsewhere, no folder of regard's own holds one.
        """
        raise StoreError(f"{where}: is a model for {stored.recipe.task}, not for {cls.task}")

    @classmethod
    def recipe_of(cls, stored: StoredModel, kind: type[R], where: str) -> R:
        """The recipe of a stored model; one for another task is refused."""
        if not isinstance(stored.recipe, kind):
            raise StoreError(f"{where}: is a model for {stored.recipe.task}, not for {cls.task}")
        return stored.recipe

    @property
    def device(self) -> torch.device:
        """Where the model is."""
        return next(self.module.parameters()).device

    def causes(self, text: str, **options: Any) -> Any:
        """Rank the words of an input by what an output owes to them, by measured effect: a `Causes`.

        options: second, target, word, instead, by, steps, alternatives, as the options of `regard causes`

        >>> found = model.causes("나는 책을 읽었다.", by=("removal", "attention"))
        >>> len(found.rows) == len(found.words)
        True
        """
        return imported("regard.analysis.causes.causes")(self, text, **options)

    def __repr__(self) -> str:
        parameters = sum(p.numel() for p in self.module.parameters())
        return f"{type(self).__name__}({', '.join(self.describe())}, {parameters:,} parameters)"

    def describe(self) -> tuple[str, ...]:
        """What this model is, in a few words."""
        return (self.recipe.model.kind,)
