"""How strings become ids."""

from typing import Literal

from pydantic import Field

from regard.config.base import Config


class BpeConfig(Config):
    """Byte-pair encoding (Sennrich et al. 2016), learned on the training text."""

    kind: Literal["bpe"] = "bpe"
    vocabulary_size: int = Field(default=6000, ge=300, le=1_000_000)
    """Entries of one vocabulary, its 4 special symbols and 256 bytes included."""
    joint: bool = False
    """One vocabulary for both languages, instead of one each."""
    min_frequency: int = Field(default=2, ge=1)
    """A pair seen less often than this is not merged."""
