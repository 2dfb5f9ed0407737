"""Every task: the classes that load, train and evaluate its models. Its recipes are in `config/catalogue.py`.

The table names classes and imports none: to use a stored model, nothing of training, of evaluation or of
other tasks is loaded.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from regard.config.recipe import Recipe
from regard.lazy import imported

if TYPE_CHECKING:
    from regard.data.pairs import Pair
    from regard.data.schema import SchemaOf
    from regard.evaluation.evaluator import Evaluator
    from regard.inference.model import TaskModel
    from regard.training.trainer import Trainer


@dataclass(frozen=True)
class Task:
    """What regard has for a task: classes, or their paths below `regard.tasks`."""

    predictor_path: "str | type[TaskModel]"
    trainer_path: "str | type[Trainer]"
    evaluator_path: "str | type[Evaluator[Any, Any, Any]]"
    schema_path: str = ""
    """Below `regard.data`."""
    starter: str = ""
    """The shipped recipe that `regard new` begins with; without one, it does not offer the task."""
    columns: tuple[str, ...] = ()
    """What a row has: settings of `data`, each with the name of a column."""
    texts: tuple[str, ...] = ()
    """Of these and of the optional ones, what is read as text."""
    optional: Mapping[str, str] = field(default_factory=dict)
    """Further settings of `data`, by the flags that name them."""
    embedder_path: str | None = None

    @property
    def predictor(self) -> "type[TaskModel]":
        """What opens and runs its stored models."""
        found: type[TaskModel] = _imported(self.predictor_path)
        return found

    @property
    def trainer(self) -> "type[Trainer]":
        """What trains them."""
        found: type[Trainer] = _imported(self.trainer_path)
        return found

    @property
    def schema(self) -> "SchemaOf[Any, Pair]":
        """How the rows of its corpora are read."""
        found: SchemaOf[Any, Pair] = imported(f"regard.data.{self.schema_path}")
        return found

    @property
    def embedder(self) -> "type[TaskModel] | None":
        """What gives texts the vectors of such a model, where that is not its task."""
        return None if self.embedder_path is None else _imported(self.embedder_path)

    def evaluator(self, recipe: Recipe) -> "Evaluator[Any, Any, Any]":
        """What scores models of a recipe, and outputs of others."""
        found: type[Evaluator[Any, Any, Any]] = _imported(self.evaluator_path)
        return found.of(recipe)


TASKS: dict[str, Task] = {
    "translation": Task(
        "translation.predictor.Translator",
        "translation.trainer.TranslationTrainer",
        "translation.evaluator.TranslationEvaluator",
        "pairs.pair_schema",
        starter="bahdanau",
        columns=("source", "target"),
        texts=("source", "target"),
    ),
    "classification": Task(
        "classification.predictor.Classifier",
        "classification.trainer.ClassificationTrainer",
        "classification.evaluator.ClassificationEvaluator",
        "labelled.labelled_schema",
        starter="self-attentive",
        columns=("text", "label"),
        texts=("text", "second"),
        optional={"second": "second", "answer": "answer"},
        embedder_path="embedding.other_tasks.PooledClassifier",
    ),
    "tagging": Task(
        "tagging.predictor.Tagger",
        "tagging.trainer.TaggingTrainer",
        "tagging.evaluator.TaggingEvaluator",
        "tagged.tagged_schema",
        starter="tagger",
        columns=("text", "label"),
        texts=("text",),
    ),
    "question-answering": Task(
        "question_answering.predictor.QuestionAnswerer",
        "question_answering.trainer.QuestionAnsweringTrainer",
        "question_answering.evaluator.QuestionAnsweringEvaluator",
        "questions.question_schema",
        starter="bert-span",
        columns=("question", "text", "answer"),
        texts=("question", "text"),
    ),
    "masked-language-model": Task(
        "masked_lm.predictor.MaskedLanguageModel",
        "masked_lm.trainer.MaskedLanguageModelTrainer",
        "masked_lm.evaluator.MaskedLanguageModelEvaluator",
        "sentences.plain_schema",
        starter="bert-tiny",
        columns=("text",),
        texts=("text",),
        embedder_path="embedding.other_tasks.TrainedEncoder",
    ),
    "language-model": Task(
        "language_model.predictor.LanguageModel",
        "language_model.trainer.LanguageModelTrainer",
        "language_model.evaluator.LanguageModelEvaluator",
        "sentences.sentence_schema",
        starter="lm-lstm",
        columns=("text",),
        texts=("text",),
    ),
    "embedding": Task(
        "embedding.trained.TrainedEmbedder",
        "embedding.trainer.EmbeddingTrainer",
        "embedding.evaluator.EmbeddingEvaluator",
        "text_pairs.scored_schema",
        starter="bilstm-embedder",
        columns=("text", "second"),
        texts=("text", "second"),
        optional={"label": "score"},
    ),
}


def evaluator_of(recipe: Recipe) -> "Evaluator[Any, Any, Any]":
    """What scores models of a recipe, and outputs of others."""
    return TASKS[recipe.task].evaluator(recipe)


def _imported(path: str | type) -> Any:
    return imported(f"regard.tasks.{path}") if isinstance(path, str) else path
