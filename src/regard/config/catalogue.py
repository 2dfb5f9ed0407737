"""Every task that a recipe can have: its name, and the class of its recipes."""

from typing import Any, Literal

from regard.config.classification import ClassificationRecipe
from regard.config.embedder import EmbedderConfig
from regard.config.embedding import EmbeddingRecipe
from regard.config.family import FamilyConfig
from regard.config.language import LanguageRecipe
from regard.config.masked_language_model import MaskedLanguageModelRecipe
from regard.config.question_answering import QuestionAnsweringRecipe
from regard.config.recipe import Recipe, kind_of, take_family
from regard.config.tagging import TaggingRecipe
from regard.config.translation import TranslationRecipe
from regard.errors import ConfigError, did_you_mean

TaskName = Literal[
    "translation",
    "classification",
    "tagging",
    "question-answering",
    "language-model",
    "masked-language-model",
    "embedding",
]

RECIPES: dict[str, type[Recipe]] = {
    "translation": TranslationRecipe,
    "classification": ClassificationRecipe,
    "tagging": TaggingRecipe,
    "question-answering": QuestionAnsweringRecipe,
    "masked-language-model": MaskedLanguageModelRecipe,
    "language-model": LanguageRecipe,
    "embedding": EmbeddingRecipe,
}
USUAL = "translation"
"""The task of a recipe that names none."""


def add_family(config: type[FamilyConfig]) -> None:
    """Let recipes have models of another family, for the tasks that it names."""
    for task in config.tasks:
        if task not in RECIPES:
            raise ConfigError(
                f"{config.__name__}: tasks: unknown value '{task}'; {did_you_mean(task, RECIPES)}"
            )
    if "embedding" in config.tasks and not issubclass(config, EmbedderConfig):
        raise ConfigError(
            f"{config.__name__}: models for embedding have an objective; inherit from "
            f"regard.config.embedder.EmbedderConfig"
        )
    for task in config.tasks:
        take_family(RECIPES[task], config)


def misplaced_family(values: dict[str, Any], recipe: type[Recipe]) -> str | None:
    """Why the family of models that a recipe names is not for its task; None if there is nothing to say."""
    model = values.get("model")
    kind = model.get("kind") if isinstance(model, dict) else None
    own = [kind_of(family) for family in recipe.families]
    tasks = [name for name, other in RECIPES.items() if kind in [kind_of(one) for one in other.families]]
    if kind in own or not tasks:
        return None
    return (
        f"model.kind: '{kind}' is for {' and '.join(tasks)}; models for {values.get('task', USUAL)} are of "
        f"the kind {' or '.join(own)}"
    )
