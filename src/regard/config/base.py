"""The base classes of the sections of a recipe, and of the settings of model families."""

from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(strict=True, ge=1, le=2**40)]
"""A number of things; true and 2.0 are not taken for one."""
Size = Annotated[int, Field(strict=True, ge=1, le=2**16)]
"""A width in a network."""


class Config(BaseModel):
    """A section of a recipe: frozen, and closed to names it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)


class FamilyConfig(Config):
    """Settings of a family of models."""

    tasks: ClassVar[tuple[str, ...]] = ("translation",)
    """The tasks of this family."""
    kind: str
    """Each family has its own, by default."""

    @property
    def needs_one_vocabulary(self) -> str | None:
        """The setting that asks for the same vocabulary on both sides, if there is one."""
        return None

    @property
    def is_layered(self) -> bool:
        """Whether layer-wise learning rates and frozen layers are possible."""
        return False

    @property
    def is_parallel(self) -> bool:
        """Whether training runs over all positions in parallel: then bfloat16 and compiling pay."""
        return True

    @property
    def is_counted(self) -> bool:
        """Whether a model is tables of counts and probabilities, not the weights of a network."""
        return False

    def check_vocabulary(self, size: int) -> None:
        """Refuse settings that do not fit a vocabulary of this size."""
        del size


class RecurrentFamilyConfig(FamilyConfig):
    """Settings of a family of recurrent networks."""

    @property
    def is_parallel(self) -> bool:
        """A recurrent network runs step by step."""
        return False


def expand_kind(value: Any) -> Any:
    """A name alone, `cosine`, stands for `{kind: cosine}`."""
    return {"kind": value} if isinstance(value, str) else value
