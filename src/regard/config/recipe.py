"""A recipe: everything that decides what a training run gives."""

from typing import Any, Literal, Self, Union

from pydantic import Field, model_validator

from regard.config.base import Config
from regard.config.data import DataConfig
from regard.config.decoding import DecodingConfig
from regard.config.family import FamilyConfig
from regard.config.model import ModelConfig, Seq2SeqConfig
from regard.config.text import BpeConfig, TextConfig
from regard.config.training import TrainingConfig
from regard.config.transformer import TransformerConfig
from regard.config.vectors import VectorsConfig


class StartConfig(Config):
    """A trained model to begin with, instead of weights by chance. The run is a new one."""

    model: str
    """A model folder, or a run folder, of which the best model is taken."""
    vocabulary: Literal["keep", "extend"] = "keep"
    """Keep the model's vocabulary as it is; or extend it by what a vocabulary of the new training text has
    beyond it. Entries that were there keep their numbers."""


class Recipe(Config):
    """A recipe: the task, its data, its text, the model, the training, the search."""

    task: Literal["translation"] = "translation"
    """What the model is for."""
    description: str = ""
    """One line for `regard recipes`."""
    data: DataConfig = DataConfig()
    text: TextConfig = BpeConfig()
    """How strings become numbers."""
    model: ModelConfig = Field(default=Seq2SeqConfig(), discriminator="kind")
    vectors: VectorsConfig = VectorsConfig()
    training: TrainingConfig = TrainingConfig()
    decoding: DecodingConfig = DecodingConfig()
    start: StartConfig | None = None
    """By default the weights are a function of the seed."""

    @model_validator(mode="after")
    def _vectors_or_a_start(self) -> Self:
        if self.start is not None and self.vectors:
            raise ValueError(
                "vectors has no use with start (--from): the word vectors are those of that model; "
                "leave one of them out"
            )
        return self

    @model_validator(mode="before")
    @classmethod
    def _first_family(cls, values: Any) -> Any:
        """A model without a kind is a recurrent one, however many families there are."""
        if isinstance(values, dict) and isinstance(values.get("model"), dict):
            return {**values, "model": {"kind": kind_of(Seq2SeqConfig), **values["model"]}}
        return values

    @model_validator(mode="after")
    def _only_in_parallel(self) -> Self:
        training = self.training
        asks = "precision" if training.precision != "float32" else "compile" if training.compile else None
        if asks is not None and not self.model.is_parallel:
            raise ValueError(
                f"training.{asks} is for models that train all positions at once; "
                f"leave it out for model.kind {kind_of(type(self.model))}"
            )
        return self

    @model_validator(mode="after")
    def _one_vocabulary(self) -> Self:
        asks = self.model.needs_one_vocabulary
        if asks is not None and not self.text.joint:
            raise ValueError(f"model.{asks} needs one vocabulary for both sides; set text.joint to true")
        return self


_FAMILIES: list[type[FamilyConfig]] = [Seq2SeqConfig, TransformerConfig]


def add_family(config: type[FamilyConfig]) -> None:
    """Let recipes have models of another family, told apart by the default of its `kind`."""
    _FAMILIES[:] = [known for known in _FAMILIES if kind_of(known) != kind_of(config)] + [config]
    field = Recipe.model_fields["model"]
    union: Any = Union[tuple(_FAMILIES)]  # noqa: UP007  # of a list that is not known before
    field.annotation, field.discriminator = union, "kind"
    Recipe.model_rebuild(force=True)


def kind_of(config: type[FamilyConfig]) -> str:
    """The name that a recipe gives to a family of models."""
    return str(config.model_fields["kind"].default)
