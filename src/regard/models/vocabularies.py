"""What a model asks of its two vocabularies."""

from regard.config.family import FamilyConfig
from regard.errors import ConfigError


def check_vocabularies(config: FamilyConfig, source_size: int, target_size: int) -> None:
    """Refuse two vocabularies where the model needs one."""
    if config.needs_one_vocabulary is not None and source_size != target_size:
        raise ConfigError(
            f"model.{config.needs_one_vocabulary} needs one vocabulary for both sides, found "
            f"{source_size:,} and {target_size:,} entries; set text.joint to true"
        )
