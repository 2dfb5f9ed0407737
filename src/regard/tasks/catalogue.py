"""Every task: its recipe, and the classes that open, train and measure its models.

The classes are named by their modules and imported when they are asked for: whoever opens a translator does
not wait for the other tasks.
"""

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from regard.config.catalogue import RECIPES
from regard.config.recipe import Recipe

if TYPE_CHECKING:
    from regard.inference.model import TaskModel
    from regard.training.task import TaskTraining


@dataclass(frozen=True)
class Task:
    """What regard has for a task. A class is named as "room.module:Class", below `regard.tasks`."""

    recipe: type[Recipe]
    predictor_path: str
    trainer_path: str
    evaluator_path: str

    @property
    def predictor(self) -> "type[TaskModel]":
        """The class of its models."""
        found: type[TaskModel] = _resolve(self.predictor_path)
        return found

    @property
    def trainer(self) -> "type[TaskTraining]":
        """The class of what trains them."""
        found: type[TaskTraining] = _resolve(self.trainer_path)
        return found

    def evaluator(self, recipe: Recipe) -> Any:
        """How models of a recipe are measured: a `Measures`, of the task's own models and rows."""
        found = _resolve(self.evaluator_path)
        return found() if found.__init__ is object.__init__ else found(recipe)


def _resolve(path: str) -> Any:
    module, name = path.split(":")
    return getattr(importlib.import_module(f"regard.tasks.{module}"), name)


TASKS: dict[str, Task] = {
    "translation": Task(
        RECIPES["translation"],
        "translation.predictor:Translator",
        "translation.trainer:TranslationTraining",
        "translation.evaluator:TranslationMeasures",
    ),
    "classification": Task(
        RECIPES["classification"],
        "classification.predictor:Classifier",
        "classification.trainer:ClassificationTraining",
        "classification.evaluator:LabelMeasures",
    ),
    "tagging": Task(
        RECIPES["tagging"],
        "tagging.predictor:Tagger",
        "tagging.trainer:TaggingTraining",
        "tagging.evaluator:TagMeasures",
    ),
    "question-answering": Task(
        RECIPES["question-answering"],
        "question_answering.predictor:Answerer",
        "question_answering.trainer:QuestionAnsweringTraining",
        "question_answering.evaluator:SpanMeasures",
    ),
    "masked-language-model": Task(
        RECIPES["masked-language-model"],
        "masked_lm.trained:MaskedLanguageModel",
        "masked_lm.trainer:MaskedLanguageModelTraining",
        "masked_lm.evaluator:MaskedMeasures",
    ),
    "language-model": Task(
        RECIPES["language-model"],
        "language_model.predictor:LanguageModel",
        "language_model.trainer:LanguageTraining",
        "language_model.evaluator:LanguageMeasures",
    ),
    "embedding": Task(
        RECIPES["embedding"],
        "embedding.trained_embedder:TrainedEmbedder",
        "embedding.trainer:EmbeddingTraining",
        "embedding.evaluator:PairMeasures",
    ),
}


def measures_of(recipe: Recipe) -> Any:
    """How models of a recipe are measured."""
    return TASKS[recipe.task].evaluator(recipe)
