"""What the rest of regard asks of the settings of any family of models."""

from typing import ClassVar

from regard.config.base import Config


class FamilyConfig(Config):
    """Settings of a family of models."""

    tasks: ClassVar[tuple[str, ...]] = ("translation",)
    """What models of this family can be trained for."""
    kind: str
    """Each family has its own, by default."""

    @property
    def needs_one_vocabulary(self) -> str | None:
        """The setting that asks for the same vocabulary on both sides, if there is one."""
        return None

    @property
    def is_layered(self) -> bool:
        """Whether lower layers can learn more slowly than higher ones, or not at all."""
        return False

    @property
    def is_parallel(self) -> bool:
        """Whether all positions train at once: then bfloat16 and compiling pay."""
        return True

    @property
    def is_counted(self) -> bool:
        """Whether a model is tables of counts and probabilities, not the weights of a network."""
        return False

    def check_vocabulary(self, size: int) -> None:
        """Refuse settings that do not fit a vocabulary of this size."""
        del size
