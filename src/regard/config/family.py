"""What the rest of regard asks of the settings of any family of models."""

from regard.config.base import Config


class FamilyConfig(Config):
    """Settings of a family of models. Each has a `kind` of its own."""

    @property
    def needs_one_vocabulary(self) -> str | None:
        """The setting that asks for the same vocabulary on both sides, if there is one."""
        return None

    @property
    def is_parallel(self) -> bool:
        """Whether all positions train at once: then bfloat16 and compiling pay."""
        return True
