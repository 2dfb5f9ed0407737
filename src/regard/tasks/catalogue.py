"""Every task: how its models are opened, trained and measured."""

from dataclasses import dataclass
from typing import Any

from regard.config.recipe import Recipe
from regard.inference.model import TaskModel
from regard.tasks.classification.evaluator import LabelMeasures
from regard.tasks.classification.predictor import Classifier
from regard.tasks.classification.trainer import ClassificationTraining
from regard.tasks.embedding.evaluator import PairMeasures
from regard.tasks.embedding.trained_embedder import TrainedEmbedder
from regard.tasks.embedding.trainer import EmbeddingTraining
from regard.tasks.language_model.evaluator import LanguageMeasures
from regard.tasks.language_model.predictor import LanguageModel
from regard.tasks.language_model.trainer import LanguageTraining
from regard.tasks.masked_lm.evaluator import MaskedMeasures
from regard.tasks.masked_lm.trained import MaskedLanguageModel
from regard.tasks.masked_lm.trainer import MaskedLanguageModelTraining
from regard.tasks.question_answering.evaluator import SpanMeasures
from regard.tasks.question_answering.predictor import Answerer
from regard.tasks.question_answering.trainer import QuestionAnsweringTraining
from regard.tasks.tagging.evaluator import TagMeasures
from regard.tasks.tagging.predictor import Tagger
from regard.tasks.tagging.trainer import TaggingTraining
from regard.tasks.translation.evaluator import TranslationMeasures
from regard.tasks.translation.predictor import Translator
from regard.tasks.translation.trainer import TranslationTraining
from regard.training.task import TaskTraining


@dataclass(frozen=True)
class Task:
    """What regard can do for a task; its recipes are in `config/catalogue.py`."""

    model: type[TaskModel]
    training: type[TaskTraining]
    measures: Any
    """A `Measures`, of the task's own models and rows; or its class, where the recipe decides."""


TASKS: dict[str, Task] = {
    "translation": Task(Translator, TranslationTraining, TranslationMeasures()),
    "classification": Task(Classifier, ClassificationTraining, LabelMeasures),
    "tagging": Task(Tagger, TaggingTraining, TagMeasures()),
    "question-answering": Task(Answerer, QuestionAnsweringTraining, SpanMeasures()),
    "masked-language-model": Task(MaskedLanguageModel, MaskedLanguageModelTraining, MaskedMeasures()),
    "language-model": Task(LanguageModel, LanguageTraining, LanguageMeasures()),
    "embedding": Task(TrainedEmbedder, EmbeddingTraining, PairMeasures),
}


def measures_of(recipe: Recipe) -> Any:
    """How models of a recipe are measured."""
    measures = TASKS[recipe.task].measures
    return measures(recipe) if isinstance(measures, type) else measures
