"""What every section of a recipe has in common."""

from pydantic import BaseModel, ConfigDict


class Config(BaseModel):
    """A section of a recipe: frozen, and closed to names it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
