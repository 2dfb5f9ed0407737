"""What every section of a recipe has in common."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(strict=True, ge=1, le=2**40)]
"""A number of things; true and 2.0 are not taken for one."""
Size = Annotated[int, Field(strict=True, ge=1, le=2**16)]
"""A width in a network."""


class Config(BaseModel):
    """A section of a recipe: frozen, and closed to names it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)
