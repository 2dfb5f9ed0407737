"""How a sentence is written once a model is trained."""

from pydantic import Field

from regard.config.base import Config, Count


class DecodingConfig(Config):
    """The search, its width, and when it gives up."""

    beam_size: int = Field(default=5, ge=1, le=256)
    """Hypotheses kept at each step; 1 is greedy search."""
    length_alpha: float = Field(default=1.0, ge=0.0, le=2.0)
    """A hypothesis is ranked by its log-probability / length ** alpha; 1 is the average, 0 the sum."""
    max_length_factor: float = Field(default=2.0, gt=0.0, le=10.0)
    """No output is longer than factor * source tokens + extra."""
    max_length_extra: int = Field(default=10, ge=0, le=1000)
    """See `max_length_factor`."""
    batch_tokens: Count = 2048
    """Source tokens, padding included, that are decoded together."""
