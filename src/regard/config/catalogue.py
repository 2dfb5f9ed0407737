"""Every task that a recipe can have: its name, and the class of its recipes."""

from typing import Any, Literal

from regard.config.base import FamilyConfig
from regard.config.recipe import Recipe, kind_of, take_family
from regard.errors import ConfigError, did_you_mean
from regard.lazy import Lazy

TaskName = Literal[
    "translation",
    "classification",
    "tagging",
    "question-answering",
    "language-model",
    "masked-language-model",
    "embedding",
]

RECIPES: Lazy[type[Recipe]] = Lazy(
    "regard.config",
    {
        "translation": "translation.TranslationRecipe",
        "classification": "classification.ClassificationRecipe",
        "tagging": "tagging.TaggingRecipe",
        "question-answering": "question_answering.QuestionAnsweringRecipe",
        "masked-language-model": "masked_language_model.MaskedLanguageModelRecipe",
        "language-model": "language.LanguageRecipe",
        "embedding": "embedding.EmbeddingRecipe",
    },
)
USUAL = "translation"
"""The task of a recipe that names none."""


def add_family(config: type[FamilyConfig]) -> None:
    """Let recipes have models of another family, for the tasks that it names."""
    from regard.config.embedder import EmbedderConfig

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
    if kind in own:
        return None
    tasks = [name for name, other in RECIPES.items() if kind in [kind_of(one) for one in other.families]]
    if not tasks:
        return None
    return (
        f"model.kind: '{kind}' is for {' and '.join(tasks)}; models for {values.get('task', USUAL)} are of "
        f"the kind {' or '.join(own)}"
    )
