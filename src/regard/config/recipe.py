"""A recipe: everything that decides what a training run gives."""

from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, Union

from pydantic import model_validator

from regard.config.base import Config, FamilyConfig
from regard.config.data import CorporaConfig
from regard.config.text import BpeConfig, TextConfig
from regard.config.training import TrainingConfig
from regard.config.vectors import FirstVectorsConfig


class StartConfig(Config):
    """A trained model to start from (fine-tuning). The run is a new one."""

    model: str
    """A model folder, or a run folder, of which the best model is taken."""
    vocabulary: Literal["keep", "extend"] = "keep"
    """Keep the model's vocabulary as it is; or extend it by what a vocabulary of the new training text has
    beyond it. Entries that were there keep their ids."""
    weights: Literal["keep", "chance"] = "keep"
    """Start from the model's weights; or from its sizes and its vocabulary alone, with random initialisation,
    to see what its training is worth."""


class Recipe(Config):
    """What every recipe has, whatever its task. Each task has a class of its own, with its own sections.

    `config/catalogue.py` names them all.
    """

    families: ClassVar[list[type[FamilyConfig]]]
    """The models that the task takes, the usual one first."""
    example: ClassVar[str]
    """What a row of the corpus is called."""
    loss_unit: ClassVar[str]
    """What the loss is a mean over."""
    has_decoder: ClassVar[bool] = False
    """Whether its models generate text."""

    task: str
    """What the model is for."""
    description: str = ""
    """One line for `regard recipes`."""
    data: CorporaConfig
    text: TextConfig = BpeConfig()
    """The tokenizer."""
    model: FamilyConfig
    vectors: FirstVectorsConfig
    training: TrainingConfig
    if TYPE_CHECKING:  # the last section of every recipe, so each task says it after its own
        start: StartConfig | None

    @model_validator(mode="before")
    @classmethod
    def _first_family(cls, values: Any) -> Any:
        """A model without a kind is of the usual family, however many there are."""
        if isinstance(values, dict) and isinstance(values.get("model"), dict):
            return {**values, "model": {"kind": kind_of(cls.families[0]), **values["model"]}}
        return values

    @model_validator(mode="after")
    def _vectors_or_a_start(self) -> Self:
        if self.start is not None and self.vectors:
            raise ValueError(
                "vectors has no use with start (--from): the vocabulary is that of the model; leave one of "
                "them out"
            )
        return self

    @model_validator(mode="after")
    def _only_with_a_decoder(self) -> Self:
        if self.training.scheduled_sampling is not None and not self.has_decoder:
            raise ValueError("training.scheduled_sampling is for models with a decoder; leave it out")
        return self

    @model_validator(mode="after")
    def _only_in_layers(self) -> Self:
        training = self.training
        asks = "optimizer.layer_decay" if training.optimizer.layer_decay != 1.0 else None
        asks = "frozen_layers" if training.frozen_layers is not None else asks
        if asks is not None and not self.model.is_layered:
            raise ValueError(
                f"training.{asks} is for models of layers, such as bert; "
                f"leave it out for model.kind {kind_of(type(self.model))}"
            )
        return self

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


def take_family(recipe: type[Recipe], config: type[FamilyConfig]) -> None:
    """Let recipes of a task have models of another family, told apart by the default of its `kind`."""
    families = recipe.families
    families[:] = [known for known in families if kind_of(known) != kind_of(config)] + [config]
    field = recipe.model_fields["model"]
    union: Any = Union[tuple(families)]  # noqa: UP007  # of a list that is not known before
    field.annotation = union
    field.discriminator = "kind" if len(families) > 1 else None  # one alone needs none
    recipe.model_rebuild(force=True)


def kind_of(config: type[FamilyConfig]) -> str:
    """The name that a recipe gives to a family of models."""
    return str(config.model_fields["kind"].default)
