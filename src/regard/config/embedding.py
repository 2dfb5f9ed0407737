"""Recipes for text embedding."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from regard.config.base import Config, FamilyConfig
from regard.config.data import BuiltinCorpus, CorporaConfig, Corpus, check_different
from regard.config.embedder import (
    BertEmbedderConfig,
    CosineConfig,
    InBatchConfig,
    SentenceEmbedderConfig,
    SoftmaxConfig,
)
from regard.config.recipe import Recipe, StartConfig
from regard.config.training import TrainingConfig
from regard.config.vectors import TextVectorsConfig

_TRANSLATIONS = BuiltinCorpus()
Bound = Annotated[float, Field(allow_inf_nan=False)]


class _Columns(Config):
    text: str = "sentence1"
    """The column of the first text of a pair."""
    second: str = "sentence2"
    """The column of the second."""
    negative: str | None = None
    """With `in-batch-negatives`: the column of a hard negative of the first text: one that does not belong to
    it, though it may look like it. By default the other rows of a batch are all there is."""
    score: str | None = None
    """The column of how near the two texts are, a number. `cosine` learns from it. Elsewhere only the dev and
    the test set have it; then Spearman's correlation with the cosine is what is measured."""
    range: tuple[Bound, Bound] = (0.0, 5.0)
    """The scores that correspond to a cosine of 0 and of 1; there are none beyond them."""
    label: str = "label"
    """With `softmax`: the column of the label of a pair."""

    @field_validator("range")
    @classmethod
    def _grows(cls, bounds: tuple[float, float]) -> tuple[float, float]:
        if bounds[0] >= bounds[1]:
            raise ValueError(f"expected two numbers, the smaller first, such as [0, 5], found {list(bounds)}")
        return bounds


class TextPairsConfig(CorporaConfig, _Columns):
    """The corpora of a sentence encoder, and which of their columns are read."""

    train: Corpus = _TRANSLATIONS
    """The training set."""
    dev: Corpus = _TRANSLATIONS
    """The dev set, which chooses the best checkpoint."""


class EmbeddingTrainingConfig(TrainingConfig):
    """One run: its length, its batches, its optimizer, and when it is validated."""

    label_smoothing: float = Field(default=0.0, ge=0.0, lt=1.0)
    """With `softmax`: probability that is spread over all labels (Szegedy et al. 2016)."""
    best_by: Literal["score", "spearman", "pearson", "retrieval", "mrr", "accuracy", "loss"] = "score"
    """What makes a checkpoint the best. `score` is Spearman's correlation where the dev set has `data.score`;
    else, with `softmax`, the accuracy of the labels; else how often the partner of a text is the nearest."""


class EmbeddingRecipe(Recipe):
    """A recipe for a sentence encoder: its data, its text, the model, the training.

    The two texts of a pair are read by the same encoder, each for itself (Reimers and Gurevych 2019).
    """

    families: ClassVar[list[type[FamilyConfig]]] = [SentenceEmbedderConfig, BertEmbedderConfig]
    example: ClassVar[str] = "pair"
    loss_unit: ClassVar[str] = "pair"

    task: Literal["embedding"] = "embedding"
    """What the model is for."""
    data: TextPairsConfig = TextPairsConfig()
    model: SentenceEmbedderConfig | BertEmbedderConfig = Field(
        default=SentenceEmbedderConfig(), discriminator="kind"
    )
    """The embedder."""
    vectors: TextVectorsConfig = TextVectorsConfig()
    training: EmbeddingTrainingConfig = EmbeddingTrainingConfig()
    start: StartConfig | None = None
    """A trained model to start from; by default weights are initialised at random, from the seed."""

    @property
    def measures(self) -> tuple[str, ...]:
        """What the dev set is measured by, beside the loss; the first is `best_by: score`."""
        if self.data.score is not None:
            return ("spearman", "pearson")
        return ("accuracy",) if isinstance(self.model.objective, SoftmaxConfig) else ("retrieval", "mrr")

    @model_validator(mode="after")
    def _only_what_has_a_meaning(self) -> Self:
        data, objective = self.data, self.model.objective
        if self.text.joint:
            raise ValueError("text.joint is for two vocabularies, and both texts share one; leave it out")
        if isinstance(objective, CosineConfig) and data.score is None:
            raise ValueError("model.objective: cosine learns from numbers; name their column: data.score")
        if data.negative is not None and not isinstance(objective, InBatchConfig):
            raise ValueError(
                f"data.negative is for in-batch-negatives, and model.objective is {objective.kind}; "
                "leave it out"
            )
        if self.training.label_smoothing and not isinstance(objective, SoftmaxConfig):
            raise ValueError(
                f"training.label_smoothing is for labels, and model.objective is {objective.kind}; "
                "leave it out"
            )
        return self

    @model_validator(mode="after")
    def _measures_what_there_is(self) -> Self:
        if self.training.best_by not in ("score", "loss", *self.measures):
            raise ValueError(
                f"training.best_by: {self.training.best_by} does not measure this dev set; choose score, "
                f"{', '.join(self.measures)} or loss"
            )
        return self

    @model_validator(mode="after")
    def _reads_different_columns(self) -> Self:
        data = self.data
        label = data.label if isinstance(self.model.objective, SoftmaxConfig) else None
        check_different(data.text, data.second, data.negative, data.score, label)
        return self

    @model_validator(mode="after")
    def _has_room(self) -> Self:
        if self.start is not None or not isinstance(self.model, BertEmbedderConfig):
            return self  # with a start, its places are not known
        if problem := self.model.no_room(self.data):
            raise ValueError(problem)
        return self
