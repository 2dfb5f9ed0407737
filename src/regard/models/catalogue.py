"""Every model that regard knows: the kind in a recipe, and its builder."""

from collections.abc import Callable

from torch import nn

from regard.config.model import ModelConfig
from regard.models.seq2seq import build_seq2seq

Builder = Callable[..., nn.Module]

BUILDERS: dict[str, Builder] = {
    "seq2seq": build_seq2seq,
}


def build_model(config: ModelConfig, *, source_size: int, target_size: int) -> nn.Module:
    """Make the model that a recipe describes, for vocabularies of these sizes."""
    return BUILDERS[config.kind](config, source_size=source_size, target_size=target_size)
