"""Every task: how its models are opened, trained and measured."""

from dataclasses import dataclass
from typing import Any

from regard.config.recipe import Recipe
from regard.tasks.classification import Classifier
from regard.tasks.label_measures import LabelMeasures
from regard.tasks.language import LanguageModel
from regard.tasks.language_measures import LanguageMeasures
from regard.tasks.masked_language_model import MaskedLanguageModel
from regard.tasks.masked_measures import MaskedMeasures
from regard.tasks.model import TaskModel
from regard.tasks.pair_measures import PairMeasures
from regard.tasks.question_answering import Answerer
from regard.tasks.span_measures import SpanMeasures
from regard.tasks.tag_measures import TagMeasures
from regard.tasks.tagging import Tagger
from regard.tasks.trained_embedder import TrainedEmbedder
from regard.tasks.translation import Translator
from regard.tasks.translation_measures import TranslationMeasures
from regard.training.classification import ClassificationTraining
from regard.training.embedding import EmbeddingTraining
from regard.training.language import LanguageTraining
from regard.training.masked_language_model import MaskedLanguageModelTraining
from regard.training.question_answering import QuestionAnsweringTraining
from regard.training.tagging import TaggingTraining
from regard.training.task import TaskTraining
from regard.training.translation import TranslationTraining


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
